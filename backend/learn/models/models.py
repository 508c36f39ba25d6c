"""Adapters of a study: rows that point to folders, what examining them found, and how each entered and left."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.agreement.trust_rule import Bound
from backend.core.studies.models import Study
from backend.decide.releases.models import Release
from backend.design.codebooks.models import Edition
from learning.adapters.card import Card, parse_card
from learning.predictions.files import measured_folder
from learning.probe.values import ProbeReport, decode_probe
from learning.promotion.rule import RESAMPLES


def adapters_folder(study: Study) -> Path:
    """Named by the row too, so that a new study never finds what is left of a deleted one."""
    return Path(settings.ADAPTERS_DIR) / f"{study.pk}-{study.slug}"


class AdapterState(models.TextChoices):
    CANDIDATE = "candidate", "Candidate"
    IN_SERVICE = "in_service", "In service"
    RETIRED = "retired", "Retired"


class Adapter(models.Model):
    """What was learned; of it all but the state stays as it is."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="adapters")
    number = models.PositiveIntegerField()
    adapter_id = models.CharField(max_length=64, help_text="Hash of what was learned and from what.")
    name = models.CharField(max_length=120)
    learner = models.CharField(max_length=60)
    release = models.ForeignKey(Release, on_delete=models.RESTRICT, related_name="adapters")
    edition = models.ForeignKey(Edition, on_delete=models.RESTRICT, related_name="adapters")
    parent = models.ForeignKey("self", null=True, on_delete=models.RESTRICT, related_name="children")
    card = models.TextField(help_text="The card as the ML backend wrote it, JSON.")
    state = models.CharField(max_length=20, choices=AdapterState.choices, default=AdapterState.CANDIDATE)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="Empty if the schedule asked for it.",
    )
    created_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["study", "-number"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="adapter_number_once", fields=["study", "number"]),
            models.UniqueConstraint(name="adapter_content_once", fields=["study", "adapter_id"]),
            models.UniqueConstraint(
                name="adapter_one_in_service", fields=["study"], condition=Q(state=AdapterState.IN_SERVICE)
            ),
            models.CheckConstraint(name="adapter_state_known", condition=Q(state__in=AdapterState.values)),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def folder(self) -> Path:
        return adapters_folder(self.study) / self.adapter_id

    @property
    def measured(self) -> Path:
        """Its predictions on the validation and test parts of its release."""
        return measured_folder(self.folder)

    def read_card(self) -> Card:
        return parse_card(self.card.encode())


class StudyPromotionRule(models.Model):
    """What a study asks of an adapter before it enters service; without a row the default holds."""

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="promotion_rule")
    least_gain = models.FloatField(default=0.0)
    bound = models.CharField(
        max_length=10, choices=[(each.value, each.value) for each in Bound], default=Bound.LOW.value
    )
    largest_drop = models.FloatField(default=0.1)
    resamples = models.PositiveIntegerField(default=RESAMPLES)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                name="promotion_bound_known", condition=Q(bound__in=[each.value for each in Bound])
            ),
            models.CheckConstraint(
                name="promotion_can_be_passed",
                condition=Q(least_gain__gte=0, least_gain__lt=1, largest_drop__gte=0, largest_drop__lte=1),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.bound} > {self.least_gain:g}, drop ≤ {self.largest_drop:g}"


class PromotionLedger(models.Model):
    """A test set and its level, which all looks at it share; a database trigger refuses to rewrite it."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="promotion_ledgers")
    number = models.PositiveIntegerField()
    posts = models.JSONField(help_text="Short hashes of the posts that it began with.")
    opened_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["study", "-number"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="promotion_ledger_number_once", fields=["study", "number"])
        ]

    def __str__(self) -> str:
        return f"Test set {self.number}"


class PromotionLook(models.Model):
    """What one comparison spent of its test set's level, and what it found; rows never change.

    Two workers cannot spend the same look, and the same evidence is not spent for twice.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="promotion_looks")
    ledger = models.ForeignKey(PromotionLedger, on_delete=models.CASCADE, related_name="looks")
    number = models.PositiveIntegerField()
    evidence = models.CharField(
        max_length=64, help_text="Hash of the two models, the labels compared on and the gain asked for."
    )
    gold_hash = models.CharField(max_length=64, help_text="Of the labels compared on.")
    candidate = models.ForeignKey(Adapter, on_delete=models.RESTRICT, related_name="+")
    incumbent = models.ForeignKey(
        Adapter,
        null=True,
        on_delete=models.RESTRICT,
        related_name="+",
        help_text="Empty for the majority baseline.",
    )
    n_items = models.PositiveIntegerField()
    n_posts = models.PositiveIntegerField()
    n_fresh = models.PositiveIntegerField(help_text="Posts with which no ledger began before.")
    level = models.FloatField(help_text="What it spent.")
    p = models.FloatField(help_text="How often chance alone makes such a gain.")
    gain = models.FloatField()
    spread = models.FloatField(help_text="The standard deviation of gains that chance makes.")
    passed = models.BooleanField(help_text="Whether p was within the level.")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["ledger", "-number"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="promotion_look_spent_once", fields=["ledger", "number"]),
            models.UniqueConstraint(name="promotion_evidence_once", fields=["study", "evidence"]),
            models.CheckConstraint(
                name="promotion_look_spends", condition=Q(number__gte=1, level__gt=0, level__lt=1)
            ),
        ]

    def __str__(self) -> str:
        return f"Look {self.number} at {self.ledger}"


class PromotionReport(models.Model):
    """What examining a candidate found, and the verdict; a database trigger refuses to rewrite it."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="promotion_reports")
    candidate = models.ForeignKey(Adapter, on_delete=models.CASCADE, related_name="promotion_reports")
    incumbent = models.ForeignKey(
        Adapter,
        null=True,
        on_delete=models.CASCADE,
        related_name="+",
        help_text="The one in service then; empty if there was none, and the majority baseline took its place.",
    )
    release = models.ForeignKey(Release, on_delete=models.RESTRICT, related_name="+")
    rule = models.JSONField()
    content = models.TextField(help_text="What the ML backend found, JSON.")
    passed = models.BooleanField()
    look = models.ForeignKey(
        PromotionLook,
        null=True,
        on_delete=models.RESTRICT,
        related_name="reports",
        help_text="What it spent; empty where nothing was compared, or on too few posts to show anything.",
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"Promotion report on {self.candidate}"


class ContextProbe(models.Model):
    """What a context probe found out about an adapter; measured once, never rewritten."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="context_probes")
    adapter = models.ForeignKey(Adapter, on_delete=models.CASCADE, related_name="context_probes")
    content = models.TextField(help_text="The report as the ML backend wrote it, JSON.")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"Context probe of {self.adapter}"

    def read_report(self) -> ProbeReport:
        return decode_probe(self.content.encode())


class EventKind(models.TextChoices):
    PROMOTED = "promoted", "Entered service by the promotion rule"
    OVERRIDDEN = "overridden", "Entered service against the promotion rule"
    ROLLED_BACK = "rolled_back", "Came back into service"
    RETIRED = "retired", "Retired"


class AdapterEvent(models.Model):
    """A line of the history of what was in service; rows never change."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="adapter_events")
    adapter = models.ForeignKey(Adapter, on_delete=models.CASCADE, related_name="events")
    replaced = models.ForeignKey(Adapter, null=True, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=20, choices=EventKind.choices)
    promotion_report = models.ForeignKey(
        PromotionReport, null=True, on_delete=models.CASCADE, related_name="+"
    )
    reason = models.TextField(blank=True)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-at", "-pk"]
        constraints: ClassVar = [
            models.CheckConstraint(name="adapter_event_kind_known", condition=Q(kind__in=EventKind.values)),
            models.CheckConstraint(
                name="adapter_override_has_reason",
                condition=~Q(kind=EventKind.OVERRIDDEN) | ~Q(reason=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.adapter}: {self.get_kind_display()}"


class TrainingGrid(models.Model):
    """Several trainings of one request that differ in their learning rate or seed; their jobs name its number."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="training_grids")
    number = models.PositiveIntegerField()
    release = models.ForeignKey(Release, on_delete=models.RESTRICT, related_name="+")
    learner = models.CharField(max_length=60)
    request = models.JSONField(help_text="What all of them have in common, and what differs.")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["study", "-number"]
        constraints: ClassVar = [models.UniqueConstraint(name="grid_number_once", fields=["study", "number"])]

    def __str__(self) -> str:
        return f"Grid {self.number}"


class AdapterComparison(models.Model):
    """A paired bootstrap between two adapters on one part of a release; measured once, never rewritten."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="adapter_comparisons")
    first = models.ForeignKey(Adapter, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Adapter, on_delete=models.CASCADE, related_name="+")
    part = models.CharField(max_length=20)
    resamples = models.PositiveIntegerField()
    seed = models.BigIntegerField()
    content = models.TextField(help_text="The comparison as the ML backend wrote it, JSON.")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="adapters_compared_once", fields=["first", "second", "part", "resamples", "seed"]
            ),
            models.CheckConstraint(name="adapters_compared_differ", condition=~Q(first=models.F("second"))),
        ]

    def __str__(self) -> str:
        return f"{self.first} and {self.second} on the {self.part} part"
