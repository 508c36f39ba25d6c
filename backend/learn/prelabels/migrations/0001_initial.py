import django.db.models.deletion
from django.db import migrations, models
from backend.core.database.frozen_rows import FreezeRows


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('batches', '0001_initial'),
        ('codebooks', '0001_initial'),
        ('models', '0001_initial'),
        ('samples', '0001_initial'),
        ('studies', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='KeptPrediction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('content', models.TextField(blank=True, help_text='The prediction as JSON, without any words of the item.')),
                ('made_at', models.DateTimeField()),
                ('adapter', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='predictions', to='models.adapter')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='predictions', to='samples.item')),
            ],
        ),
        migrations.CreateModel(
            name='PrelabelSettings',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_on', models.BooleanField()),
                ('blind_share', models.FloatField(help_text='Of the posts of each batch.')),
                ('kinds', models.JSONField(help_text='Kinds of batches that get suggestions.')),
                ('study', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='prelabel_settings', to='studies.study')),
            ],
        ),
        migrations.CreateModel(
            name='ConditionAssignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('condition', models.CharField(choices=[('blind', 'blind'), ('suggested', 'suggested')], max_length=10)),
                ('drawn_at', models.DateTimeField()),
                ('batch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='condition_assignments', to='batches.batch')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='condition_assignments', to='samples.item')),
            ],
        ),
        migrations.CreateModel(
            name='Suggestion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('prepared_at', models.DateTimeField()),
                ('shown_at', models.DateTimeField(help_text='When Label Studio first said that it has it.', null=True)),
                ('withheld_at', models.DateTimeField(help_text='When Label Studio first said that nobody had begun the blind item.', null=True)),
                ('taken_back_at', models.DateTimeField(help_text='When it was there no longer, and still nobody had begun the item.', null=True)),
                ('assigned_item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='suggestions', to='batches.assigneditem')),
                ('prediction', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='suggestions', to='prelabels.keptprediction')),
            ],
        ),
        migrations.CreateModel(
            name='KeptComparison',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('made_from', models.CharField(help_text='A hash of which answers, suggestions and conditions.', max_length=64)),
                ('report', models.TextField(help_text='JSON of an ExperimentReport.')),
                ('edition', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='codebooks.edition')),
                ('study', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='prelabel_comparison', to='studies.study')),
            ],
        ),
        migrations.AddConstraint(
            model_name='keptprediction',
            constraint=models.UniqueConstraint(fields=('item', 'adapter'), name='predicted_once'),
        ),
        migrations.AddConstraint(
            model_name='prelabelsettings',
            constraint=models.CheckConstraint(condition=models.Q(('blind_share__gte', 0), ('blind_share__lte', 1)), name='blind_share_is_a_share'),
        ),
        migrations.AddConstraint(
            model_name='conditionassignment',
            constraint=models.UniqueConstraint(fields=('batch', 'item'), name='condition_once_per_batch'),
        ),
        migrations.AddConstraint(
            model_name='conditionassignment',
            constraint=models.CheckConstraint(condition=models.Q(('condition__in', ['blind', 'suggested'])), name='condition_known'),
        ),
        migrations.AddConstraint(
            model_name='suggestion',
            constraint=models.UniqueConstraint(fields=('assigned_item', 'prediction'), name='suggested_once'),
        ),
        migrations.AddConstraint(
            model_name='suggestion',
            constraint=models.CheckConstraint(condition=models.Q(('shown_at', None), ('withheld_at', None), _connector='OR'), name='shown_or_withheld'),
        ),
        FreezeRows('ConditionAssignment'),
        FreezeRows('KeptPrediction'),
    ]
