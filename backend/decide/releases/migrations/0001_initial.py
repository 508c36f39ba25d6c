import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from backend.core.database.frozen_rows import FreezeRows


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('codebooks', '0001_initial'),
        ('studies', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Release',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('name', models.CharField(max_length=120)),
                ('hash', models.CharField(help_text='Of the manifest, which holds the hash of every file.', max_length=64)),
                ('request', models.JSONField(help_text='What was asked for when it was frozen, as in the manifest.')),
                ('counts', models.JSONField(help_text='What it holds, as in the manifest.')),
                ('note', models.TextField(blank=True)),
                ('is_imported', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField()),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('edition', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='releases', to='codebooks.edition')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='releases', to='studies.study')),
            ],
            options={
                'ordering': ['study', '-number'],
                'constraints': [models.UniqueConstraint(fields=('study', 'number'), name='release_number_once'), models.UniqueConstraint(fields=('study', 'name'), name='release_name_once'), models.UniqueConstraint(fields=('study', 'hash'), name='release_content_once')],
            },
        ),
        FreezeRows('Release'),
    ]
