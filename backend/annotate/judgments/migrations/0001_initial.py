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
            name='AnnotationVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('project_marker', models.CharField(help_text='The project it is in: numbers are given out again, markers are not.', max_length=80)),
                ('project_id', models.PositiveBigIntegerField(help_text="Label Studio's number of the project.")),
                ('task_id', models.PositiveBigIntegerField(help_text="Label Studio's number of the task.")),
                ('annotation_id', models.PositiveBigIntegerField(help_text="Label Studio's number of the annotation.")),
                ('account_id', models.PositiveBigIntegerField(help_text="Label Studio's number of who made it.")),
                ('item_key', models.TextField(help_text="The item's id as the task carries it.")),
                ('change', models.CharField(choices=[('submitted', 'Submitted'), ('skipped', 'Skipped'), ('deleted', 'Deleted')], max_length=20)),
                ('body', models.TextField(help_text='The annotation as it was received, as canonical JSON; empty for a deletion.')),
                ('sha256', models.CharField(max_length=64)),
                ('lead_seconds', models.FloatField(null=True)),
                ('from_prediction', models.BooleanField()),
                ('created_there_at', models.DateTimeField(help_text='When the annotation was first submitted, by Label Studio.')),
                ('changed_there_at', models.DateTimeField(help_text="When this state was made, by Label Studio's clock.")),
                ('seen_at', models.DateTimeField()),
                ('came_late', models.BooleanField(default=False, help_text='A newer state had been seen already, so this one never stood.')),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='annotation_versions', to='batches.assignment')),
                ('made_by', models.ForeignKey(help_text='Who that is here; empty if the account is none of ours.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Quarantined',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('problems', models.JSONField()),
                ('is_fixable', models.BooleanField(help_text='Whether the annotator can mend it in Label Studio.')),
                ('assigned_item', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='quarantined', to='batches.assigneditem')),
                ('version', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='quarantined', to='judgments.annotationversion')),
            ],
        ),
        migrations.CreateModel(
            name='Submission',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('submitted', 'Submitted'), ('skipped', 'Skipped')], max_length=20)),
                ('submitted_at', models.DateTimeField()),
                ('changed_at', models.DateTimeField()),
                ('edits', models.PositiveIntegerField()),
                ('lead_seconds', models.FloatField(null=True)),
                ('from_prediction', models.BooleanField()),
                ('is_flagged', models.BooleanField()),
                ('flag_comment', models.TextField(blank=True)),
                ('assigned_item', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='submission', to='batches.assigneditem')),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='judgments.annotationversion')),
            ],
        ),
        migrations.CreateModel(
            name='Span',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=80)),
                ('part', models.CharField(choices=[('post', 'post'), ('reply', 'reply')], max_length=10)),
                ('start', models.PositiveIntegerField()),
                ('end', models.PositiveIntegerField()),
                ('submission', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='spans', to='judgments.submission')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Judgment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=80)),
                ('value', models.SmallIntegerField()),
                ('submission', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='judgments', to='judgments.submission')),
            ],
        ),
        migrations.AddIndex(
            model_name='annotationversion',
            index=models.Index(fields=['assignment', 'item_key'], name='version_of_item'),
        ),
        migrations.AddIndex(
            model_name='annotationversion',
            index=models.Index(fields=['assignment', 'annotation_id'], name='version_of_annotation'),
        ),
        migrations.AddConstraint(
            model_name='annotationversion',
            constraint=models.CheckConstraint(condition=models.Q(('change__in', ['submitted', 'skipped', 'deleted'])), name='version_change_known'),
        ),
        migrations.AddConstraint(
            model_name='span',
            constraint=models.UniqueConstraint(fields=('submission', 'code', 'part', 'start', 'end'), name='span_once'),
        ),
        migrations.AddConstraint(
            model_name='span',
            constraint=models.CheckConstraint(condition=models.Q(('end__gt', models.F('start'))), name='span_holds_words'),
        ),
        migrations.AddConstraint(
            model_name='judgment',
            constraint=models.UniqueConstraint(fields=('submission', 'code'), name='judgment_once_per_code'),
        ),
        FreezeRows('AnnotationVersion'),
    ]
