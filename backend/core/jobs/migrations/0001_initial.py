import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('studies', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=64)),
                ('arguments', models.JSONField()),
                ('state', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], default='queued', max_length=16)),
                ('created_at', models.DateTimeField()),
                ('woken_at', models.DateTimeField(help_text='When a wake-up message was last sent, if one was.', null=True)),
                ('started_at', models.DateTimeField(help_text='When the latest attempt began.', null=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('fence', models.PositiveIntegerField(default=0, help_text='Grows with every claim; only its holder writes.')),
                ('attempts', models.PositiveSmallIntegerField(default=0, help_text='Claims that were not handed back.')),
                ('lease_until', models.DateTimeField(null=True)),
                ('heartbeat_at', models.DateTimeField(null=True)),
                ('cancel_requested', models.BooleanField(default=False)),
                ('progress_start', models.PositiveBigIntegerField(default=0, help_text='Done before this attempt began.')),
                ('progress_done', models.PositiveBigIntegerField(default=0)),
                ('progress_total', models.PositiveBigIntegerField(null=True)),
                ('progress_unit', models.TextField(blank=True, default='')),
                ('progress_note', models.TextField(blank=True, default='')),
                ('result', models.JSONField(null=True)),
                ('error', models.TextField(blank=True, default='')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='studies.study')),
            ],
            options={
                'ordering': ['-created_at', '-pk'],
                'indexes': [models.Index(fields=['study', '-created_at'], name='job_of_study'), models.Index(condition=models.Q(('state', 'queued')), fields=['woken_at'], name='job_to_wake'), models.Index(condition=models.Q(('state', 'running')), fields=['lease_until'], name='job_to_requeue')],
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['queued', 'running', 'done', 'failed', 'cancelled'])), name='job_state_is_known'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'running'), ('heartbeat_at__isnull', False), ('lease_until__isnull', False), ('started_at__isnull', False), ('attempts__gte', 1), ('fence__gte', 1)), models.Q(('state__in', ['queued', 'done', 'failed', 'cancelled']), ('heartbeat_at__isnull', True), ('lease_until__isnull', True)), _connector='OR'), name='job_runs_if_and_only_if_leased'), models.CheckConstraint(condition=models.Q(models.Q(('finished_at__isnull', False), ('state__in', ('done', 'failed', 'cancelled'))), models.Q(('finished_at__isnull', True), ('state__in', ('queued', 'running'))), _connector='OR'), name='job_is_over_if_and_only_if_finished'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'failed'), models.Q(('error', ''), _negated=True)), models.Q(models.Q(('state', 'failed'), _negated=True), ('error', '')), _connector='OR'), name='job_failed_if_and_only_if_error'), models.CheckConstraint(condition=models.Q(('state', 'done'), ('result__isnull', True), _connector='OR'), name='job_result_needs_done'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'queued'), _negated=True), ('cancel_requested', False), _connector='OR'), name='job_queued_is_wanted'), models.CheckConstraint(condition=models.Q(('attempts__lte', 3)), name='job_attempts_are_bounded')],
            },
        ),
    ]
