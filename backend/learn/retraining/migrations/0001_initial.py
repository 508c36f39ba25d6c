import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('codebooks', '0001_initial'),
        ('jobs', '0001_initial'),
        ('models', '0001_initial'),
        ('releases', '0001_initial'),
        ('studies', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='RetrainingRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('occasion', models.CharField(help_text='What started it; the same never starts two.', max_length=80)),
                ('state', models.CharField(choices=[('running', 'Under way'), ('promoted', 'Took over'), ('kept_out', 'Not in service'), ('nothing_new', 'Nothing new'), ('failed', 'Failed'), ('cancelled', 'Stopped')], default='running', max_length=20)),
                ('words', models.CharField(blank=True, help_text='What came of it, in a sentence or two.', max_length=600)),
                ('final_judgments', models.PositiveIntegerField(help_text='How many there were when it started.')),
                ('training', models.JSONField(help_text='Learner, options and seed, as they were asked for when it started.')),
                ('started_at', models.DateTimeField()),
                ('finished_at', models.DateTimeField(null=True)),
                ('adapter', models.ForeignKey(help_text='What it learnt.', null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='models.adapter')),
                ('edition', models.ForeignKey(help_text='The newest when it started.', on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='codebooks.edition')),
                ('job', models.OneToOneField(on_delete=django.db.models.deletion.RESTRICT, related_name='retraining_run', to='jobs.job')),
                ('previous', models.ForeignKey(help_text='The newest release when it started.', null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='releases.release')),
                ('promotion_report', models.ForeignKey(help_text='What the promotion rule found.', null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='models.promotionreport')),
                ('release', models.ForeignKey(help_text='What it learnt from.', null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='releases.release')),
                ('started_by', models.ForeignKey(help_text='Empty if the schedule did.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='retraining_runs', to='studies.study')),
            ],
            options={
                'ordering': ['study', '-number'],
            },
        ),
        migrations.CreateModel(
            name='RetrainingSchedule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_on', models.BooleanField()),
                ('kind', models.CharField(choices=[('nightly', 'Every night'), ('weekly', 'Once a week'), ('judgments', 'When enough is new')], max_length=20)),
                ('hour', models.PositiveSmallIntegerField(help_text="On the instance's clock; for nights and weeks.")),
                ('weekday', models.PositiveSmallIntegerField(help_text='Monday is 0; for weeks.')),
                ('enough', models.PositiveIntegerField(help_text='How many new final judgments start a run.')),
                ('learner', models.CharField(default='encoder-lora', max_length=60)),
                ('options', models.JSONField(default=dict, help_text='Of the learner; what is not given keeps its default.')),
                ('continues', models.BooleanField(default=False, help_text='Whether training begins from the adapter in service, if it is of this learner.')),
                ('after', models.DateTimeField(help_text='Only occasions after this moment count.')),
                ('changed_at', models.DateTimeField()),
                ('changed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='retraining_schedule', to='studies.study')),
            ],
        ),
        migrations.CreateModel(
            name='RunStep',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('freeze', 'Freeze a release'), ('train', 'Train'), ('promotion', 'Measure against the model in service'), ('promote', 'Put into service'), ('prelabel', 'Pre-label open batches')], max_length=20)),
                ('begun_at', models.DateTimeField()),
                ('done_at', models.DateTimeField(null=True)),
                ('words', models.CharField(blank=True, help_text='What it did, in a sentence.', max_length=600)),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='steps', to='retraining.retrainingrun')),
            ],
            options={
                'ordering': ['run', 'begun_at', 'pk'],
            },
        ),
        migrations.AddConstraint(
            model_name='retrainingrun',
            constraint=models.UniqueConstraint(fields=('study', 'number'), name='retraining_number_once'),
        ),
        migrations.AddConstraint(
            model_name='retrainingrun',
            constraint=models.UniqueConstraint(fields=('study', 'occasion'), name='retraining_occasion_once'),
        ),
        migrations.AddConstraint(
            model_name='retrainingrun',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'running')), fields=('study',), name='retraining_one_under_way'),
        ),
        migrations.AddConstraint(
            model_name='retrainingrun',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['running', 'promoted', 'kept_out', 'nothing_new', 'failed', 'cancelled'])), name='retraining_state_known'),
        ),
        migrations.AddConstraint(
            model_name='retrainingrun',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('finished_at', None), ('state', 'running')), models.Q(models.Q(('state', 'running'), _negated=True), ('finished_at__isnull', False)), _connector='OR'), name='retraining_over_if_and_only_if_finished'),
        ),
        migrations.AddConstraint(
            model_name='retrainingschedule',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['nightly', 'weekly', 'judgments'])), name='retraining_schedule_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='retrainingschedule',
            constraint=models.CheckConstraint(condition=models.Q(('hour__lte', 23)), name='retraining_hour_of_a_day'),
        ),
        migrations.AddConstraint(
            model_name='retrainingschedule',
            constraint=models.CheckConstraint(condition=models.Q(('weekday__lte', 6)), name='retraining_day_of_a_week'),
        ),
        migrations.AddConstraint(
            model_name='retrainingschedule',
            constraint=models.CheckConstraint(condition=models.Q(('enough__gte', 1)), name='retraining_enough_is_something'),
        ),
        migrations.AddConstraint(
            model_name='runstep',
            constraint=models.UniqueConstraint(fields=('run', 'kind'), name='retraining_step_once'),
        ),
        migrations.AddConstraint(
            model_name='runstep',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['freeze', 'train', 'promotion', 'promote', 'prelabel'])), name='retraining_step_known'),
        ),
    ]
