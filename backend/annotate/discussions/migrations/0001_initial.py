import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from backend.core.database.frozen_rows import FreezeRows


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('batches', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Discussion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('open', 'Open'), ('waiting', 'Waiting'), ('settled', 'Settled'), ('withdrawn', 'Withdrawn')], default='open', max_length=20)),
                ('is_flagged', models.BooleanField(help_text='Whether the flag stands, as of when it was last followed.')),
                ('comment', models.TextField(blank=True, help_text='What the annotator wrote with the flag, as it stands now.')),
                ('opened_at', models.DateTimeField()),
                ('changed_at', models.DateTimeField()),
                ('shared_at', models.DateTimeField(help_text='Since when every annotator of the study may read it.', null=True)),
                ('settled_at', models.DateTimeField(null=True)),
                ('reason', models.TextField(blank=True)),
                ('proposed_code', models.CharField(blank=True, help_text="Which code's text should change.", max_length=80)),
                ('proposed_change', models.TextField(blank=True, help_text="How the codebook's text should change.")),
                ('assigned_item', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='discussion', to='batches.assigneditem')),
                ('settled_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['opened_at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Message',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('body', models.TextField()),
                ('from_label_studio', models.BooleanField(help_text='Written beside the flag and not here.')),
                ('settles', models.BooleanField(default=False, help_text='The reason with which the discussion was settled.')),
                ('said_at', models.DateTimeField()),
                ('author', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('discussion', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='messages', to='discussions.discussion')),
            ],
            options={
                'ordering': ['said_at', 'pk'],
            },
        ),
        migrations.AddConstraint(
            model_name='discussion',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['open', 'waiting', 'settled', 'withdrawn'])), name='discussion_state_known'),
        ),
        migrations.AddConstraint(
            model_name='discussion',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'settled'), _negated=True), models.Q(('settled_at__isnull', False), ('settled_by__isnull', False), models.Q(('reason', ''), _negated=True)), _connector='OR'), name='settled_with_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='discussion',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'withdrawn'), _negated=True), ('is_flagged', False), _connector='OR'), name='withdrawn_without_flag'),
        ),
        migrations.AddConstraint(
            model_name='message',
            constraint=models.CheckConstraint(condition=models.Q(('body', ''), _negated=True), name='message_says_something'),
        ),
        FreezeRows('Message'),
    ]
