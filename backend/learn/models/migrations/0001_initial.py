import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from backend.core.database.frozen_rows import FreezeRows


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('codebooks', '0001_initial'),
        ('releases', '0001_initial'),
        ('studies', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Adapter',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('adapter_id', models.CharField(help_text='Hash of what was learned and from what.', max_length=64)),
                ('name', models.CharField(max_length=120)),
                ('learner', models.CharField(max_length=60)),
                ('card', models.TextField(help_text='The card as the ML backend wrote it, JSON.')),
                ('state', models.CharField(choices=[('candidate', 'Candidate'), ('in_service', 'In service'), ('retired', 'Retired')], default='candidate', max_length=20)),
                ('created_at', models.DateTimeField()),
                ('created_by', models.ForeignKey(help_text='Empty if the schedule asked for it.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('edition', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='adapters', to='codebooks.edition')),
                ('parent', models.ForeignKey(null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='children', to='models.adapter')),
                ('release', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='adapters', to='releases.release')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='adapters', to='studies.study')),
            ],
            options={
                'ordering': ['study', '-number'],
            },
        ),
        migrations.CreateModel(
            name='AdapterComparison',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('part', models.CharField(max_length=20)),
                ('resamples', models.PositiveIntegerField()),
                ('seed', models.BigIntegerField()),
                ('content', models.TextField(help_text='The comparison as the ML backend wrote it, JSON.')),
                ('created_at', models.DateTimeField()),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('first', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='models.adapter')),
                ('second', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='models.adapter')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='adapter_comparisons', to='studies.study')),
            ],
            options={
                'ordering': ['-created_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='PromotionLedger',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('posts', models.JSONField(help_text='Short hashes of the posts that it began with.')),
                ('opened_at', models.DateTimeField()),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='promotion_ledgers', to='studies.study')),
            ],
            options={
                'ordering': ['study', '-number'],
            },
        ),
        migrations.CreateModel(
            name='PromotionLook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('evidence', models.CharField(help_text='Hash of the two models, the labels compared on and the gain asked for.', max_length=64)),
                ('gold_hash', models.CharField(help_text='Of the labels compared on.', max_length=64)),
                ('n_items', models.PositiveIntegerField()),
                ('n_posts', models.PositiveIntegerField()),
                ('n_fresh', models.PositiveIntegerField(help_text='Posts with which no ledger began before.')),
                ('level', models.FloatField(help_text='What it spent.')),
                ('p', models.FloatField(help_text='How often chance alone makes such a gain.')),
                ('gain', models.FloatField()),
                ('spread', models.FloatField(help_text='The standard deviation of gains that chance makes.')),
                ('passed', models.BooleanField(help_text='Whether p was within the level.')),
                ('at', models.DateTimeField()),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('candidate', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='models.adapter')),
                ('incumbent', models.ForeignKey(help_text='Empty for the majority baseline.', null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='models.adapter')),
                ('ledger', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='looks', to='models.promotionledger')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='promotion_looks', to='studies.study')),
            ],
            options={
                'ordering': ['ledger', '-number'],
            },
        ),
        migrations.CreateModel(
            name='ContextProbe',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('content', models.TextField(help_text='The report as the ML backend wrote it, JSON.')),
                ('created_at', models.DateTimeField()),
                ('adapter', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='context_probes', to='models.adapter')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='context_probes', to='studies.study')),
            ],
            options={
                'ordering': ['-created_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='PromotionReport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rule', models.JSONField()),
                ('content', models.TextField(help_text='What the ML backend found, JSON.')),
                ('passed', models.BooleanField()),
                ('created_at', models.DateTimeField()),
                ('candidate', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='promotion_reports', to='models.adapter')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('incumbent', models.ForeignKey(help_text='The one in service then; empty if there was none, and the majority baseline took its place.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='models.adapter')),
                ('look', models.ForeignKey(help_text='What it spent; empty where nothing was compared, or on too few posts to show anything.', null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='reports', to='models.promotionlook')),
                ('release', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='releases.release')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='promotion_reports', to='studies.study')),
            ],
            options={
                'ordering': ['-created_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='AdapterEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('promoted', 'Entered service by the promotion rule'), ('overridden', 'Entered service against the promotion rule'), ('rolled_back', 'Came back into service'), ('retired', 'Retired')], max_length=20)),
                ('reason', models.TextField(blank=True)),
                ('at', models.DateTimeField()),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('adapter', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='models.adapter')),
                ('replaced', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='models.adapter')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='adapter_events', to='studies.study')),
                ('promotion_report', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='models.promotionreport')),
            ],
            options={
                'ordering': ['-at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='StudyPromotionRule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('least_gain', models.FloatField(default=0.0)),
                ('bound', models.CharField(choices=[('low', 'low'), ('value', 'value')], default='low', max_length=10)),
                ('largest_drop', models.FloatField(default=0.1)),
                ('resamples', models.PositiveIntegerField(default=1000)),
                ('study', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='promotion_rule', to='studies.study')),
            ],
        ),
        migrations.CreateModel(
            name='TrainingGrid',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('learner', models.CharField(max_length=60)),
                ('request', models.JSONField(help_text='What all of them have in common, and what differs.')),
                ('created_at', models.DateTimeField()),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('release', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='releases.release')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='training_grids', to='studies.study')),
            ],
            options={
                'ordering': ['study', '-number'],
            },
        ),
        migrations.AddConstraint(
            model_name='adapter',
            constraint=models.UniqueConstraint(fields=('study', 'number'), name='adapter_number_once'),
        ),
        migrations.AddConstraint(
            model_name='adapter',
            constraint=models.UniqueConstraint(fields=('study', 'adapter_id'), name='adapter_content_once'),
        ),
        migrations.AddConstraint(
            model_name='adapter',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'in_service')), fields=('study',), name='adapter_one_in_service'),
        ),
        migrations.AddConstraint(
            model_name='adapter',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['candidate', 'in_service', 'retired'])), name='adapter_state_known'),
        ),
        migrations.AddConstraint(
            model_name='adaptercomparison',
            constraint=models.UniqueConstraint(fields=('first', 'second', 'part', 'resamples', 'seed'), name='adapters_compared_once'),
        ),
        migrations.AddConstraint(
            model_name='adaptercomparison',
            constraint=models.CheckConstraint(condition=models.Q(('first', models.F('second')), _negated=True), name='adapters_compared_differ'),
        ),
        migrations.AddConstraint(
            model_name='adapterevent',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['promoted', 'overridden', 'rolled_back', 'retired'])), name='adapter_event_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='adapterevent',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'overridden'), _negated=True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='adapter_override_has_reason'),
        ),
        migrations.AddConstraint(
            model_name='promotionledger',
            constraint=models.UniqueConstraint(fields=('study', 'number'), name='promotion_ledger_number_once'),
        ),
        migrations.AddConstraint(
            model_name='promotionlook',
            constraint=models.UniqueConstraint(fields=('ledger', 'number'), name='promotion_look_spent_once'),
        ),
        migrations.AddConstraint(
            model_name='promotionlook',
            constraint=models.UniqueConstraint(fields=('study', 'evidence'), name='promotion_evidence_once'),
        ),
        migrations.AddConstraint(
            model_name='promotionlook',
            constraint=models.CheckConstraint(condition=models.Q(('level__gt', 0), ('level__lt', 1), ('number__gte', 1)), name='promotion_look_spends'),
        ),
        migrations.AddConstraint(
            model_name='studypromotionrule',
            constraint=models.CheckConstraint(condition=models.Q(('bound__in', ['low', 'value'])), name='promotion_bound_known'),
        ),
        migrations.AddConstraint(
            model_name='studypromotionrule',
            constraint=models.CheckConstraint(condition=models.Q(('largest_drop__gte', 0), ('largest_drop__lte', 1), ('least_gain__gte', 0), ('least_gain__lt', 1)), name='promotion_can_be_passed'),
        ),
        migrations.AddConstraint(
            model_name='traininggrid',
            constraint=models.UniqueConstraint(fields=('study', 'number'), name='grid_number_once'),
        ),
        FreezeRows('PromotionLedger'),
        FreezeRows('PromotionLook'),
        FreezeRows('PromotionReport'),
        FreezeRows('AdapterEvent'),
        FreezeRows('AdapterComparison'),
        FreezeRows('ContextProbe'),
    ]
