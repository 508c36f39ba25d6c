import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from backend.core.database.frozen_rows import FreezeRows


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('corpora', '0001_initial'),
        ('studies', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Item',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('item_id', models.CharField(max_length=40)),
                ('platform', models.CharField(max_length=20)),
                ('community', models.TextField()),
                ('post_id', models.TextField()),
                ('reply_id', models.TextField(null=True)),
                ('title', models.TextField(blank=True)),
                ('post_text', models.TextField(blank=True)),
                ('reply_text', models.TextField(null=True)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='items', to='studies.study')),
            ],
        ),
        migrations.CreateModel(
            name='Sample',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120)),
                ('design', models.JSONField()),
                ('seed', models.BigIntegerField()),
                ('frame_hash', models.CharField(max_length=64)),
                ('n_items', models.PositiveIntegerField()),
                ('created_at', models.DateTimeField()),
                ('corpus', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='samples', to='corpora.corpus')),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('disjoint_from', models.ManyToManyField(related_name='+', to='samples.sample')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='samples', to='studies.study')),
            ],
            options={
                'ordering': ['-created_at'],
            },
        ),
        migrations.CreateModel(
            name='Draw',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField()),
                ('post_probability', models.FloatField()),
                ('reply_probability', models.FloatField()),
                ('inclusion_probability', models.FloatField()),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='draws', to='samples.item')),
                ('sample', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='draws', to='samples.sample')),
            ],
            options={
                'ordering': ['sample', 'position'],
            },
        ),
        migrations.AddConstraint(
            model_name='item',
            constraint=models.UniqueConstraint(fields=('study', 'item_id'), name='item_once_per_study'),
        ),
        migrations.AddConstraint(
            model_name='item',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('reply_id', None), ('reply_text', None)), models.Q(('reply_id__isnull', False), ('reply_text__isnull', False)), _connector='OR'), name='reply_text_with_reply'),
        ),
        migrations.AddConstraint(
            model_name='sample',
            constraint=models.UniqueConstraint(fields=('study', 'name'), name='sample_name_once'),
        ),
        migrations.AddConstraint(
            model_name='draw',
            constraint=models.UniqueConstraint(fields=('sample', 'item'), name='item_once_per_sample'),
        ),
        migrations.AddConstraint(
            model_name='draw',
            constraint=models.UniqueConstraint(fields=('sample', 'position'), name='position_once_per_sample'),
        ),
        migrations.AddConstraint(
            model_name='draw',
            constraint=models.CheckConstraint(condition=models.Q(('inclusion_probability__gt', 0), ('inclusion_probability__lte', 1)), name='probability_in_range'),
        ),
        FreezeRows('Sample'),
        # Their texts too, once an annotator sees them: annotate/personal_data
        FreezeRows('Item', columns=['study_id', 'item_id', 'platform', 'community', 'post_id', 'reply_id']),
        FreezeRows('Draw'),
    ]
