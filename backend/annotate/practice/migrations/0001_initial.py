import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('codebooks', '0001_initial'),
        ('samples', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='GoldAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('answers', models.JSONField(help_text='Judgments and spans.')),
                ('reasons', models.JSONField(help_text='Why, by code; shown to annotators after they submitted.')),
                ('written_at', models.DateTimeField()),
                ('replaced_at', models.DateTimeField(help_text='Since when other gold stands, or none.', null=True)),
                ('edition', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='gold_answers', to='codebooks.edition')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='gold_answers', to='samples.item')),
                ('replaced_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('written_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('replaced_at', None)), fields=('item', 'edition'), name='gold_once_per_edition')],
            },
        ),
    ]
