"""Who is judged blind, what an adapter said about which item, and what was really shown to whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from django.db import models
from django.db.models import Q

from backend.annotate.batches.models import AssignedItem, Batch, BatchKind
from backend.core.studies.models import Study
from backend.design.codebooks.models import Edition
from backend.design.samples.models import Item
from backend.learn.models.models import Adapter
from learning.prelabel_experiment.values import Condition

# Never practice, which teaches the codebook, nor a recheck, which asks what somebody thinks by themselves
SUGGESTIBLE = (BatchKind.MAIN, BatchKind.ACTIVE, BatchKind.OVERLAP)


@dataclass(frozen=True, slots=True)
class PrelabelChoice:
    is_on: bool = True
    blind_share: float = 0.2
    kinds: tuple[BatchKind, ...] = (BatchKind.MAIN, BatchKind.ACTIVE)


class PrelabelSettings(models.Model):
    """What a study wants suggested; without a row the default holds."""

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="prelabel_settings")
    is_on = models.BooleanField()
    blind_share = models.FloatField(help_text="Of the posts of each batch.")
    kinds = models.JSONField(help_text="Kinds of batches that get suggestions.")

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                name="blind_share_is_a_share", condition=Q(blind_share__gte=0, blind_share__lte=1)
            ),
        ]

    def __str__(self) -> str:
        return f"pre-labels of {self.study}"


class ConditionAssignment(models.Model):
    """Which condition chance gave an item of a batch; a database trigger refuses to change it."""

    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="condition_assignments")
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="condition_assignments")
    condition = models.CharField(max_length=10, choices=[(each.value, each.value) for each in Condition])
    drawn_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(name="condition_once_per_batch", fields=["batch", "item"]),
            models.CheckConstraint(
                name="condition_known", condition=Q(condition__in=[each.value for each in Condition])
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item} in {self.batch}: {self.condition}"


class KeptPrediction(models.Model):
    """What an adapter says about an item: of both conditions, so that these can be compared, or of a pool.
    No item is predicted twice by the same adapter, and rows never change.

    Without content it has nothing to say: the item lacks the part that the adapter judges.
    """

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="predictions")
    adapter = models.ForeignKey(Adapter, on_delete=models.CASCADE, related_name="predictions")
    content = models.TextField(blank=True, help_text="The prediction as JSON, without any words of the item.")
    made_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(name="predicted_once", fields=["item", "adapter"]),
        ]

    def __str__(self) -> str:
        return f"{self.adapter} on {self.item}"


class Suggestion(models.Model):
    """That a prediction was there for somebody who had not begun the item: shown, or withheld if it is blind.

    The row comes first and is confirmed by what Label Studio says, so that nothing is ever shown without one, whatever
    dies in between. One that came to nothing is taken away again. No clocks are compared: Label Studio itself tells
    that nobody had begun, so every answer to the item came later.
    """

    assigned_item = models.ForeignKey(AssignedItem, on_delete=models.CASCADE, related_name="suggestions")
    prediction = models.ForeignKey(KeptPrediction, on_delete=models.CASCADE, related_name="suggestions")
    prepared_at = models.DateTimeField()
    shown_at = models.DateTimeField(null=True, help_text="When Label Studio first said that it has it.")
    withheld_at = models.DateTimeField(
        null=True, help_text="When Label Studio first said that nobody had begun the blind item."
    )
    taken_back_at = models.DateTimeField(
        null=True, help_text="When it was there no longer, and still nobody had begun the item."
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(name="suggested_once", fields=["assigned_item", "prediction"]),
            models.CheckConstraint(
                name="shown_or_withheld", condition=Q(shown_at=None) | Q(withheld_at=None)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.prediction} for {self.assigned_item}"

    @property
    def version(self) -> str:
        """As Label Studio names the model."""
        from learning.suggestions.encoding import short_id

        return short_id(self.prediction.adapter.adapter_id)


class KeptComparison(models.Model):
    """What came of comparing the conditions, until there is something else to compare."""

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="prelabel_comparison")
    edition = models.ForeignKey(Edition, on_delete=models.CASCADE, related_name="+")
    made_from = models.CharField(
        max_length=64, help_text="A hash of which answers, suggestions and conditions."
    )
    report = models.TextField(help_text="JSON of an ExperimentReport.")

    def __str__(self) -> str:
        return f"Comparison of the conditions of {self.study}"
