import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from backend.core.database.frozen_rows import FreezeRows


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('codebooks', '0001_initial'),
        ('discussions', '0001_initial'),
        ('samples', '0001_initial'),
        ('studies', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Decision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('decision_round', models.PositiveSmallIntegerField(choices=[(1, 'First'), (2, 'Blind second'), (3, 'Reconciling')])),
                ('number', models.PositiveIntegerField(help_text="Counts from 1 within an item's decision_round.")),
                ('way', models.CharField(choices=[('accepted', "One person's answer"), ('majority', "The majority's answer"), ('written', 'Written by the researcher'), ('undone', 'Undone')], max_length=20)),
                ('answers', models.JSONField(help_text='Judgments and spans, by annotation.stored_answers; empty if undone.', null=True)),
                ('reason', models.TextField(blank=True)),
                ('judgments_hash', models.CharField(help_text="Of the annotators' answers as they stood: later changes can be noticed.", max_length=64)),
                ('made_at', models.DateTimeField()),
                ('opened_at', models.DateTimeField(help_text='When its author was shown what it decides, if a page or a call tells.', null=True)),
                ('seconds', models.FloatField(help_text='How long the page was open.', null=True)),
                ('is_chosen', models.BooleanField(default=False, help_text='Whether the item is decided twice, as it was when its first step was made: plans may change.')),
                ('differences', models.JSONField(help_text='On the one that completes two rounds, by code: null if the values differ, else the token F1 of their words, if below 1.', null=True)),
                ('wants_settling', models.BooleanField(default=False, help_text="Its reason settles the item's discussions, once the item is final.")),
                ('accepted_from', models.ForeignKey(help_text="Whose answer was accepted, if one was: an annotator's, or a researcher's when two are reconciled.", null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('author', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('edition', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='codebooks.edition')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='decisions', to='samples.item')),
                ('settled', models.ManyToManyField(help_text='What this step settled.', related_name='settled_with', to='discussions.discussion')),
            ],
            options={
                'ordering': ['item', 'decision_round', 'number'],
            },
        ),
        migrations.CreateModel(
            name='QueueItem',
            fields=[
                ('item', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='queue_item', serialize=False, to='samples.item')),
                ('state', models.CharField(choices=[('waiting', 'Any researcher'), ('second', 'Any researcher but the author of the first decision'), ('with-annotators', 'An annotator who has not judged it yet'), ('settled', 'Nobody: it is decided'), ('quiet', 'Nobody: there is nothing to decide')], max_length=20)),
                ('n_points', models.PositiveIntegerField()),
                ('points', models.JSONField(help_text='Open points by reason.')),
                ('codes', models.JSONField(help_text='The codes in question, sorted.')),
                ('annotators', models.JSONField(help_text='Who answered, by their numbers, sorted.')),
                ('batches', models.JSONField(help_text='In which batches, by their numbers, sorted.')),
                ('blind_to', models.ForeignKey(help_text='The author of the first decision, who does not make the blind second one.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('final', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='adjudication.decision')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='queue_items', to='studies.study')),
            ],
        ),
        migrations.CreateModel(
            name='QueueMark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('item_pk', models.BigIntegerField()),
                ('study_pk', models.BigIntegerField()),
            ],
            options={
                'indexes': [models.Index(fields=['study_pk', 'item_pk'], name='queue_mark_of_study')],
            },
        ),
        migrations.CreateModel(
            name='Suspicion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('near-identical', 'Judged differently on nearly the same words'), ('recheck', 'Judged differently when asked again'), ('prediction', 'A model that has not seen the item is sure of another label'), ('model-error', 'A researcher holds the label for wrong, and a model right')], max_length=20)),
                ('code', models.CharField(max_length=80)),
                ('detail', models.JSONField(help_text='Who and what, by ids: never a text.')),
                ('detail_hash', models.CharField(max_length=64)),
                ('found_at', models.DateTimeField()),
                ('gone_at', models.DateTimeField(null=True)),
                ('reopens', models.TextField(blank=True, help_text='What is new since the decision that it reopens; empty if it reopens none.')),
                ('dismissed_at', models.DateTimeField(null=True)),
                ('dismissed_because', models.TextField(blank=True)),
                ('dismissed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='suspicions', to='samples.item')),
            ],
            options={
                'ordering': ['item', 'kind', 'code', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='AdjudicationPlan',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('evidence_threshold', models.FloatField(default=0.5, help_text='Evidence whose token F1 is below this counts as a disagreement.')),
                ('second_share', models.FloatField(default=0.0, help_text='Of the decided items, how many a second researcher decides blindly.')),
                ('seed', models.BigIntegerField(default=0, help_text='Decides which items these are.')),
                ('changed_at', models.DateTimeField(null=True)),
                ('changed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='adjudication_plan', to='studies.study')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('evidence_threshold__gte', 0), ('evidence_threshold__lte', 1)), name='evidence_threshold_in_range'), models.CheckConstraint(condition=models.Q(('second_share__gte', 0), ('second_share__lte', 1)), name='second_share_in_range'), models.CheckConstraint(condition=models.Q(('seed__gte', 0)), name='adjudication_seed_in_range')],
            },
        ),
        migrations.AddConstraint(
            model_name='decision',
            constraint=models.UniqueConstraint(fields=('item', 'decision_round', 'number'), name='decision_number_once'),
        ),
        migrations.AddConstraint(
            model_name='decision',
            constraint=models.CheckConstraint(condition=models.Q(('way__in', ['accepted', 'majority', 'written', 'undone'])), name='decision_way_known'),
        ),
        migrations.AddConstraint(
            model_name='decision',
            constraint=models.CheckConstraint(condition=models.Q(('decision_round__in', [1, 2, 3])), name='decision_round_known'),
        ),
        migrations.AddConstraint(
            model_name='decision',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('answers', None), ('way', 'undone')), models.Q(models.Q(('way', 'undone'), _negated=True), ('answers__isnull', False)), _connector='OR'), name='decision_answers_unless_undone'),
        ),
        migrations.AddConstraint(
            model_name='decision',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('accepted_from__isnull', False), ('way', 'accepted')), models.Q(models.Q(('way', 'accepted'), _negated=True), ('accepted_from', None)), _connector='OR'), name='decision_accepted_from_somebody'),
        ),
        migrations.AddConstraint(
            model_name='decision',
            constraint=models.CheckConstraint(condition=models.Q(('wants_settling', False), models.Q(('reason', ''), _negated=True), _connector='OR'), name='decision_settles_with_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='decision',
            constraint=models.CheckConstraint(condition=models.Q(('opened_at', None), ('opened_at__lte', models.F('made_at')), _connector='OR'), name='decision_opened_before_made'),
        ),
        migrations.AddIndex(
            model_name='queueitem',
            index=models.Index(fields=['study', 'state', '-n_points', 'item'], name='queue_by_state'),
        ),
        migrations.AddConstraint(
            model_name='queueitem',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'second', 'with-annotators', 'settled', 'quiet'])), name='queue_state_known'),
        ),
        migrations.AddConstraint(
            model_name='suspicion',
            constraint=models.UniqueConstraint(fields=('item', 'kind', 'code', 'detail_hash'), name='suspicion_once'),
        ),
        migrations.AddConstraint(
            model_name='suspicion',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['near-identical', 'recheck', 'prediction', 'model-error'])), name='suspicion_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='suspicion',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('dismissed_at', None), ('dismissed_because', ''), ('dismissed_by', None)), models.Q(('dismissed_at__isnull', False), ('dismissed_by__isnull', False), models.Q(('dismissed_because', ''), _negated=True)), _connector='OR'), name='dismissed_by_somebody_with_a_reason'),
        ),
        FreezeRows('Decision'),
    ]
