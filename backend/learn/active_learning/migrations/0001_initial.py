import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from backend.core.database.frozen_rows import FreezeRows


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('batches', '0001_initial'),
        ('models', '0001_initial'),
        ('samples', '0001_initial'),
        ('studies', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Choice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('strategy', models.CharField(choices=[('random', 'random'), ('least-confidence', 'least-confidence'), ('entropy', 'entropy'), ('margin', 'margin'), ('committee', 'committee'), ('k-centre', 'k-centre'), ('uncertain-and-diverse', 'uncertain-and-diverse'), ('badge-like', 'badge-like'), ('rare-themes', 'rare-themes'), ('expected-error', 'expected-error')], max_length=40)),
                ('random_share', models.FloatField()),
                ('per_cost', models.BooleanField()),
                ('adapters', models.JSONField(help_text='Ids of the adapters that were asked, the one in service first.')),
                ('samples', models.JSONField(help_text='Names of the samples that the pool was made of.')),
                ('n_pool', models.PositiveIntegerField()),
                ('seed', models.BigIntegerField()),
                ('batch', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='choice', to='batches.batch')),
            ],
        ),
        migrations.CreateModel(
            name='ChosenItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stream', models.CharField(choices=[('random', 'random'), ('strategy', 'strategy')], max_length=10)),
                ('rank', models.PositiveIntegerField(help_text='Place in the draw, the random stream first.')),
                ('score', models.FloatField()),
                ('inclusion_probability', models.FloatField(help_text='Of coming into the batch, given the pool.')),
                ('cost', models.FloatField(help_text='Expected minutes of work.')),
                ('choice', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='items', to='active_learning.choice')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='chosen', to='samples.item')),
            ],
            options={
                'ordering': ['choice', 'rank'],
            },
        ),
        migrations.CreateModel(
            name='PoolEmbedding',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('embedding', models.BinaryField(help_text='float32')),
                ('adapter', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pool_embeddings', to='models.adapter')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pool_embeddings', to='samples.item')),
            ],
        ),
        migrations.CreateModel(
            name='SavingsReading',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('inputs_hash', models.CharField(help_text='Of the labels and of what was asked.', max_length=64)),
                ('content', models.TextField(help_text='The reading as the ML backend wrote it, JSON.')),
                ('series', models.PositiveIntegerField(help_text='Readings that share one level.', null=True)),
                ('look', models.PositiveIntegerField(help_text='Which of its series; empty if it could claim nothing.', null=True)),
                ('n_items', models.PositiveIntegerField(help_text='How many items had labels.')),
                ('measured_at', models.DateTimeField()),
                ('requested_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='savings_readings', to='studies.study')),
            ],
            options={
                'ordering': ['-measured_at', '-pk'],
            },
        ),
        migrations.AddConstraint(
            model_name='choice',
            constraint=models.CheckConstraint(condition=models.Q(('strategy__in', ['random', 'least-confidence', 'entropy', 'margin', 'committee', 'k-centre', 'uncertain-and-diverse', 'badge-like', 'rare-themes', 'expected-error'])), name='choice_strategy_known'),
        ),
        migrations.AddConstraint(
            model_name='choice',
            constraint=models.CheckConstraint(condition=models.Q(('random_share__gt', 0), ('random_share__lte', 1)), name='choice_always_random'),
        ),
        migrations.AddConstraint(
            model_name='chosenitem',
            constraint=models.UniqueConstraint(fields=('choice', 'item'), name='chosen_once'),
        ),
        migrations.AddConstraint(
            model_name='chosenitem',
            constraint=models.UniqueConstraint(fields=('choice', 'rank'), name='rank_once_per_choice'),
        ),
        migrations.AddConstraint(
            model_name='chosenitem',
            constraint=models.CheckConstraint(condition=models.Q(('stream__in', ['random', 'strategy'])), name='chosen_stream_known'),
        ),
        migrations.AddConstraint(
            model_name='chosenitem',
            constraint=models.CheckConstraint(condition=models.Q(('inclusion_probability__gt', 0), ('inclusion_probability__lte', 1)), name='chosen_probability_in_range'),
        ),
        migrations.AddConstraint(
            model_name='poolembedding',
            constraint=models.UniqueConstraint(fields=('adapter', 'item'), name='embedded_once_by_adapter'),
        ),
        migrations.AddConstraint(
            model_name='savingsreading',
            constraint=models.UniqueConstraint(fields=('study', 'inputs_hash'), name='savings_measured_once'),
        ),
        migrations.AddConstraint(
            model_name='savingsreading',
            constraint=models.UniqueConstraint(fields=('study', 'series', 'look'), name='savings_look_spent_once'),
        ),
        FreezeRows('Choice'),
        FreezeRows('ChosenItem'),
        FreezeRows('SavingsReading'),
    ]
