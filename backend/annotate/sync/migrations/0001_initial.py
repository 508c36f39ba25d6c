import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('batches', '0001_initial'),
        ('jobs', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Account',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('label_studio_id', models.PositiveBigIntegerField(unique=True)),
                ('email', models.CharField(max_length=200)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='label_studio_account', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='BatchLock',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('batch', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='batches.batch')),
                ('job', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='jobs.job')),
            ],
        ),
        migrations.CreateModel(
            name='Project',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('marker', models.CharField(max_length=80, unique=True)),
                ('label_studio_id', models.PositiveBigIntegerField(null=True)),
                ('state', models.CharField(choices=[('wanted', 'Being prepared'), ('ready', 'Ready'), ('gone', 'Gone from Label Studio')], default='wanted', max_length=20)),
                ('has_webhooks', models.BooleanField(default=False, help_text='Whether Label Studio agreed to give webhooks.')),
                ('seat_open', models.BooleanField(default=False, help_text='Whether the annotator can get in there.')),
                ('read_up_to', models.DateTimeField(help_text='Every change up to here is in the sync.', null=True)),
                ('newest_change', models.DateTimeField(help_text='The newest change seen there, by its clock.', null=True)),
                ('newest_seen_at', models.DateTimeField(help_text='When that change was first seen, by ours.', null=True)),
                ('tried_at', models.DateTimeField(help_text='When it was last asked, with or without an answer.', null=True)),
                ('polled_at', models.DateTimeField(null=True)),
                ('poll_error', models.TextField(blank=True)),
                ('tasks_there', models.PositiveIntegerField(default=0)),
                ('annotations_there', models.PositiveIntegerField(default=0)),
                ('skipped_there', models.PositiveIntegerField(default=0)),
                ('drafts_there', models.PositiveIntegerField(default=0)),
                ('counted_at', models.DateTimeField(help_text='When the items there were last counted one by one.', null=True)),
                ('read_whole_at', models.DateTimeField(help_text='When everything in it was last read.', null=True)),
                ('assignment', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='project', to='batches.assignment')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['wanted', 'ready', 'gone'])), name='project_state_known'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'ready'), _negated=True), ('label_studio_id__isnull', False), _connector='OR'), name='ready_project_is_there')],
            },
        ),
    ]
