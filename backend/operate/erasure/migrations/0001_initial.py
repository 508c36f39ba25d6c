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
            name='StudyDeletion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120)),
                ('slug', models.SlugField(max_length=60)),
                ('started_at', models.DateTimeField(help_text='When the study was started.')),
                ('deleted_at', models.DateTimeField()),
                ('counts', models.JSONField(help_text='How much of what went with it.')),
                ('job_id', models.BigIntegerField(help_text='The number of the job that did it.', null=True)),
                ('deleted_by', models.ForeignKey(help_text='Empty if it was deleted by a command.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-deleted_at', '-pk'],
            },
        ),
        FreezeRows('StudyDeletion'),
    ]
