import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('codebooks', '0001_initial'),
        ('corpora', '0001_initial'),
        ('jobs', '0001_initial'),
        ('models', '0001_initial'),
        ('samples', '0001_initial'),
        ('studies', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='LabellingRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('scope', models.JSONField(help_text="Which texts, as the run's facts have it.")),
                ('corpus_state', models.CharField(help_text='Of the corpus when the run was asked for.', max_length=16)),
                ('seed', models.BigIntegerField()),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('running', 'Under way'), ('paused', 'Paused'), ('finished', 'Finished'), ('failed', 'Failed'), ('cancelled', 'Stopped')], default='waiting', max_length=20)),
                ('price_per_hour', models.DecimalField(decimal_places=4, help_text='Of one machine, in whatever currency.', max_digits=10, null=True)),
                ('n_posts', models.PositiveIntegerField(default=0, help_text='Units that are posts; 0 until it is staged.')),
                ('n_replies', models.PositiveIntegerField(default=0, help_text='Units that are replies.')),
                ('n_shards', models.PositiveIntegerField(default=0)),
                ('n_labelled', models.PositiveIntegerField(default=0, help_text='Units whose shard is written.')),
                ('n_workers', models.PositiveIntegerField(default=0, help_text='Ready at the last look.')),
                ('seconds_worked', models.FloatField(default=0.0, help_text='Machine time of the shards that are written.')),
                ('created_at', models.DateTimeField()),
                ('finished_at', models.DateTimeField(null=True)),
                ('output_hash', models.CharField(blank=True, help_text='Of the manifest, which has the hash of every file.', max_length=64)),
                ('adapter', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='labelling_runs', to='models.adapter')),
                ('corpus', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='labelling_runs', to='corpora.corpus')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('edition', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='codebooks.edition')),
                ('job', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='labelling_runs', to='jobs.job')),
                ('sample', models.ForeignKey(null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='labelling_runs', to='samples.sample')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='labelling_runs', to='studies.study')),
            ],
            options={
                'ordering': ['study', '-number'],
                'constraints': [models.UniqueConstraint(fields=('study', 'number'), name='labelling_number_once'), models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'running', 'paused', 'finished', 'failed', 'cancelled'])), name='labelling_state_known'), models.CheckConstraint(condition=models.Q(models.Q(('finished_at__isnull', False), ('state', 'finished'), models.Q(('output_hash', ''), _negated=True)), models.Q(models.Q(('state', 'finished'), _negated=True), ('finished_at__isnull', True), ('output_hash', '')), _connector='OR'), name='labelling_finished_if_and_only_if_hashed'), models.CheckConstraint(condition=models.Q(('price_per_hour', None), ('price_per_hour__gte', 0), _connector='OR'), name='labelling_price_is_none_below_zero')],
            },
        ),
    ]
