"""Decisions of researchers on items, added one after another and never changed; and what the queue is made by."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from backend.annotate.discussions.models import Discussion
from backend.core.studies.models import Study
from backend.design.codebooks.models import Edition
from backend.design.samples.models import Item

HALF = 0.5


class DecisionRound(models.IntegerChoices):
    """Which look at the item: the first, a second one that does not see the first, or the one that settles both."""

    FIRST = 1, "First"
    SECOND = 2, "Blind second"
    RECONCILING = 3, "Reconciling"


class Way(models.TextChoices):
    """How the answer came about. Undone: nothing is decided any more."""

    ACCEPTED = "accepted", "One person's answer"
    MAJORITY = "majority", "The majority's answer"
    WRITTEN = "written", "Written by the researcher"
    UNDONE = "undone", "Undone"


class Decision(models.Model):
    """One step in the history of an item's adjudication; the one with the highest number stands.

    Two researchers who decide at once would both write the next number, which the database allows once.
    """

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="decisions")
    edition = models.ForeignKey(Edition, on_delete=models.RESTRICT, related_name="+")
    decision_round = models.PositiveSmallIntegerField(choices=DecisionRound.choices)
    number = models.PositiveIntegerField(help_text="Counts from 1 within an item's decision_round.")
    way = models.CharField(max_length=20, choices=Way.choices)
    accepted_from = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="Whose answer was accepted, if one was: an annotator's, or a researcher's when two are reconciled.",
    )
    answers = models.JSONField(
        null=True, help_text="Judgments and spans, by annotation.stored_answers; empty if undone."
    )
    reason = models.TextField(blank=True)
    judgments_hash = models.CharField(
        max_length=64, help_text="Of the annotators' answers as they stood: later changes can be noticed."
    )
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    opened_at = models.DateTimeField(
        null=True, help_text="When its author was shown what it decides, if a page or a call tells."
    )
    seconds = models.FloatField(null=True, help_text="How long the page was open.")
    is_chosen = models.BooleanField(
        default=False,
        help_text="Whether the item is decided twice, as it was when its first step was made: plans may change.",
    )
    differences = models.JSONField(
        null=True,
        help_text="On the one that completes two rounds, by code: null if the values differ, else the token F1 "
        "of their words, if below 1.",
    )
    wants_settling = models.BooleanField(
        default=False, help_text="Its reason settles the item's discussions, once the item is final."
    )
    settled = models.ManyToManyField(
        Discussion, related_name="settled_with", help_text="What this step settled."
    )

    class Meta:
        ordering: ClassVar = ["item", "decision_round", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="decision_number_once", fields=["item", "decision_round", "number"]),
            models.CheckConstraint(name="decision_way_known", condition=Q(way__in=Way.values)),
            models.CheckConstraint(
                name="decision_round_known", condition=Q(decision_round__in=DecisionRound.values)
            ),
            models.CheckConstraint(
                name="decision_answers_unless_undone",
                condition=Q(way=Way.UNDONE, answers=None) | (~Q(way=Way.UNDONE) & Q(answers__isnull=False)),
            ),
            models.CheckConstraint(
                name="decision_accepted_from_somebody",
                condition=Q(way=Way.ACCEPTED, accepted_from__isnull=False)
                | (~Q(way=Way.ACCEPTED) & Q(accepted_from=None)),
            ),
            models.CheckConstraint(
                name="decision_settles_with_a_reason", condition=Q(wants_settling=False) | ~Q(reason="")
            ),
            models.CheckConstraint(
                name="decision_opened_before_made",
                condition=Q(opened_at=None) | Q(opened_at__lte=F("made_at")),
            ),
        ]

    def __str__(self) -> str:
        return f"decision {self.number} on {self.item}"


class AdjudicationPlan(models.Model):
    """How a study adjudicates; one that has no row does so by the defaults."""

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="adjudication_plan")
    evidence_threshold = models.FloatField(
        default=HALF, help_text="Evidence whose token F1 is below this counts as a disagreement."
    )
    second_share = models.FloatField(
        default=0.0, help_text="Of the decided items, how many a second researcher decides blindly."
    )
    seed = models.BigIntegerField(default=0, help_text="Decides which items these are.")
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    changed_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                name="evidence_threshold_in_range",
                condition=Q(evidence_threshold__gte=0, evidence_threshold__lte=1),
            ),
            models.CheckConstraint(
                name="second_share_in_range", condition=Q(second_share__gte=0, second_share__lte=1)
            ),
            models.CheckConstraint(name="adjudication_seed_in_range", condition=Q(seed__gte=0)),
        ]

    def __str__(self) -> str:
        return f"adjudication of {self.study}"


class SuspicionKind(models.TextChoices):
    """Why a label looks wrong."""

    NEAR_IDENTICAL = "near-identical", "Judged differently on nearly the same words"
    RECHECK = "recheck", "Judged differently when asked again"
    PREDICTION = "prediction", "A model that has not seen the item is sure of another label"
    MODEL_ERROR = "model-error", "A researcher holds the label for wrong, and a model right"


class Suspicion(models.Model):
    """A label that may be wrong. Being found again adds nothing, so that what was dismissed stays so.

    What a later search no longer finds is gone, until one finds it again. A final decision answers what was found
    before it; only new evidence reopens what was decided, once for each kind.
    """

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="suspicions")
    kind = models.CharField(max_length=20, choices=SuspicionKind.choices)
    code = models.CharField(max_length=80)
    detail = models.JSONField(help_text="Who and what, by ids: never a text.")
    detail_hash = models.CharField(max_length=64)
    found_at = models.DateTimeField()
    gone_at = models.DateTimeField(null=True)
    reopens = models.TextField(
        blank=True, help_text="What is new since the decision that it reopens; empty if it reopens none."
    )
    dismissed_at = models.DateTimeField(null=True)
    dismissed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    dismissed_because = models.TextField(blank=True)

    class Meta:
        ordering: ClassVar = ["item", "kind", "code", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="suspicion_once", fields=["item", "kind", "code", "detail_hash"]),
            models.CheckConstraint(name="suspicion_kind_known", condition=Q(kind__in=SuspicionKind.values)),
            models.CheckConstraint(
                name="dismissed_by_somebody_with_a_reason",
                condition=Q(dismissed_at=None, dismissed_by=None, dismissed_because="")
                | (Q(dismissed_at__isnull=False, dismissed_by__isnull=False) & ~Q(dismissed_because="")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} on {self.item}"


class QueueState(models.TextChoices):
    """Whom an item waits for."""

    WAITING = "waiting", "Any researcher"
    SECOND = "second", "Any researcher but the author of the first decision"
    WITH_ANNOTATORS = "with-annotators", "An annotator who has not judged it yet"
    SETTLED = "settled", "Nobody: it is decided"
    QUIET = "quiet", "Nobody: there is nothing to decide"


class QueueItem(models.Model):
    """Derived: where an item that was judged or decided is in the queue, so that every page can count it by SQL."""

    item = models.OneToOneField(Item, on_delete=models.CASCADE, primary_key=True, related_name="queue_item")
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="queue_items")
    state = models.CharField(max_length=20, choices=QueueState.choices)
    n_points = models.PositiveIntegerField()
    points = models.JSONField(help_text="Open points by reason.")
    codes = models.JSONField(help_text="The codes in question, sorted.")
    annotators = models.JSONField(help_text="Who answered, by their numbers, sorted.")
    batches = models.JSONField(help_text="In which batches, by their numbers, sorted.")
    blind_to = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.CASCADE,
        related_name="+",
        help_text="The author of the first decision, who does not make the blind second one.",
    )
    final = models.ForeignKey(Decision, null=True, on_delete=models.CASCADE, related_name="+")

    class Meta:
        indexes: ClassVar = [
            models.Index(name="queue_by_state", fields=["study", "state", "-n_points", "item"]),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(name="queue_state_known", condition=Q(state__in=QueueState.values)),
        ]

    def __str__(self) -> str:
        return f"{self.item}: {self.state}"


class QueueMark(models.Model):
    """An item whose place in the queue has to be worked out again; the database adds these (see `queue_marks`).

    Numbers without foreign keys, since the item may be about to go.
    """

    item_pk = models.BigIntegerField()
    study_pk = models.BigIntegerField()

    class Meta:
        indexes: ClassVar = [models.Index(name="queue_mark_of_study", fields=["study_pk", "item_pk"])]

    def __str__(self) -> str:
        return f"item {self.item_pk}"
