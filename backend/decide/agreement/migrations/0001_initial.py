import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from backend.core.database.frozen_rows import FreezeRows


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('batches', '0001_initial'),
        ('codebooks', '0001_initial'),
        ('studies', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='AgreementReport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('agreement', 'Agreement between annotators'), ('retest', 'Test–retest')], max_length=20)),
                ('inputs_hash', models.CharField(help_text='Of the answers it was measured on, as JSON.', max_length=64)),
                ('resamples', models.PositiveIntegerField()),
                ('seed', models.BigIntegerField()),
                ('method', models.PositiveIntegerField(default=1, help_text='Version of the formulas, annotation.agreement.reports.')),
                ('measures', models.TextField(help_text='The report as the ML backend wrote it, JSON.')),
                ('is_partial', models.BooleanField(help_text='Whether somebody still had items to judge.')),
                ('measured_at', models.DateTimeField()),
                ('batch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='agreement_reports', to='batches.batch')),
                ('edition', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='codebooks.edition')),
                ('requested_by', models.ForeignKey(help_text='Empty if it was measured by itself, because the batch was complete.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='agreement_reports', to='studies.study')),
            ],
            options={
                'ordering': ['-measured_at', '-pk'],
                'constraints': [models.UniqueConstraint(fields=('batch', 'inputs_hash', 'seed', 'resamples', 'method'), name='agreement_measured_once'), models.CheckConstraint(condition=models.Q(('kind__in', ['agreement', 'retest'])), name='agreement_kind_known')],
            },
        ),
        migrations.CreateModel(
            name='AgreementRule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('measure', models.CharField(help_text='Name of a statistic, annotation.agreement.registry.', max_length=30)),
                ('bound', models.CharField(choices=[('low', 'low'), ('value', 'value')], max_length=10)),
                ('at_least', models.FloatField()),
                ('study', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='agreement_rule', to='studies.study')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('measure', ''), _negated=True), name='rule_measure_given'), models.CheckConstraint(condition=models.Q(('bound__in', ['low', 'value'])), name='rule_bound_known'), models.CheckConstraint(condition=models.Q(('at_least__gte', -1), ('at_least__lte', 1)), name='rule_can_be_met')],
            },
        ),
        FreezeRows('AgreementReport'),
    ]
