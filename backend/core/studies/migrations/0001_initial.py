import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from backend.core.database.frozen_rows import FreezeRows


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Study',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120)),
                ('slug', models.SlugField(max_length=60, unique=True)),
                ('description', models.TextField(blank=True)),
                ('created_at', models.DateTimeField()),
                ('remind_days_before', models.PositiveSmallIntegerField(help_text='So many days before a batch is due annotators are reminded; empty: never.', null=True)),
                ('archived_at', models.DateTimeField(help_text='Since when it can only be read.', null=True)),
                ('deletion_asked_at', models.DateTimeField(help_text='Since when nobody gets in, because it is being deleted.', null=True)),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'studies',
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('annotator', 'Annotator'), ('researcher', 'Researcher'), ('both', 'Researcher and annotator')], max_length=20)),
                ('added_at', models.DateTimeField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='studies.study')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('study', 'user'), name='one_membership_per_study'), models.CheckConstraint(condition=models.Q(('role__in', ['annotator', 'researcher', 'both'])), name='membership_role_known')],
            },
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('summary', models.CharField(max_length=300)),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='studies.study')),
            ],
            options={
                'indexes': [models.Index(fields=['study', '-at'], name='event_by_study')],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('annotator', 'Annotator'), ('researcher', 'Researcher'), ('both', 'Researcher and annotator')], max_length=20)),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('note', models.CharField(blank=True, help_text='Whom it is for; an address if it was e-mailed.', max_length=120)),
                ('created_at', models.DateTimeField()),
                ('expires_at', models.DateTimeField()),
                ('withdrawn_at', models.DateTimeField(null=True)),
                ('used_at', models.DateTimeField(null=True)),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='studies.study')),
                ('used_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('role__in', ['annotator', 'researcher', 'both'])), name='invitation_role_known'), models.CheckConstraint(condition=models.Q(models.Q(('used_at', None), ('used_by', None)), models.Q(('used_at__isnull', False), ('used_by__isnull', False)), _connector='OR'), name='invitation_used_by_somebody')],
            },
        ),
        FreezeRows('Event'),
    ]
