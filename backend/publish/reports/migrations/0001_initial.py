import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from backend.core.database.frozen_rows import FreezeRows


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('labelling', '0001_initial'),
        ('releases', '0001_initial'),
        ('studies', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('title', models.CharField(max_length=200)),
                ('request', models.JSONField(help_text='What was asked for, from which it can be made again.')),
                ('manifest_hash', models.CharField(help_text='Of the manifest, which holds the hash of every file.', max_length=64)),
                ('created_at', models.DateTimeField()),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('labelling_run', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='reports', to='labelling.labellingrun')),
                ('release', models.ForeignKey(help_text="Whose labels correct the model's; empty where all estimates are naive.", null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='reports', to='releases.release')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='studies.study')),
            ],
            options={
                'ordering': ['study', '-number'],
            },
        ),
        migrations.CreateModel(
            name='ReportCheck',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('differing', models.JSONField(help_text='Paths of files, or what went in, that are not the same.')),
                ('checked_at', models.DateTimeField()),
                ('checked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('report', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='checks', to='reports.report')),
            ],
            options={
                'ordering': ['-checked_at', '-pk'],
            },
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.UniqueConstraint(fields=('study', 'number'), name='report_number_once'),
        ),
        FreezeRows('Report'),
        FreezeRows('ReportCheck'),
    ]
