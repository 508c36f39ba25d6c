import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from backend.core.database.frozen_rows import FreezeRows


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('studies', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Edition',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('name', models.TextField()),
                ('title', models.TextField()),
                ('hash', models.CharField(max_length=64)),
                ('canonical', models.TextField()),
                ('source', models.TextField()),
                ('note', models.TextField()),
                ('created_at', models.DateTimeField()),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='editions', to='studies.study')),
            ],
            options={
                'ordering': ['study', '-number'],
                'constraints': [models.UniqueConstraint(fields=('study', 'number'), name='edition_number_once'), models.UniqueConstraint(fields=('study', 'hash'), name='edition_content_once'), models.CheckConstraint(condition=models.Q(('note', ''), _negated=True), name='edition_has_note')],
            },
        ),
        FreezeRows('Edition'),
    ]
