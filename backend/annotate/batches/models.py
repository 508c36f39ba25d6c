"""Batches of items, who works on which share of one, and which items are in a share."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from backend.core.studies.models import Study
from backend.design.codebooks.models import Edition
from backend.design.samples.models import Item


class BatchKind(models.TextChoices):
    """What a batch is for, which decides who gets which items."""

    PRACTICE = "practice", "Practice"
    OVERLAP = "overlap", "Overlap"
    ADAPTIVE = "adaptive", "Adaptive overlap"
    MAIN = "main", "Main"
    RECHECK = "recheck", "Recheck"
    ACTIVE = "active", "Active learning"


class BatchState(models.TextChoices):
    """One that is being discarded is gone as soon as Label Studio is rid of it; until then nobody can work on it."""

    OPEN = "open", "Open"
    PAUSED = "paused", "Paused"
    CLOSED = "closed", "Closed"
    DISCARDING = "discarding", "Being discarded"


class Batch(models.Model):
    """Items given out together under one edition; the seed repeats who got what."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="batches")
    name = models.CharField(max_length=120)
    kind = models.CharField(max_length=20, choices=BatchKind.choices)
    edition = models.ForeignKey(Edition, on_delete=models.RESTRICT, related_name="batches")
    state = models.CharField(max_length=20, choices=BatchState.choices, default=BatchState.OPEN)
    state_before = models.CharField(
        max_length=20, blank=True, help_text="To which state a batch returns that cannot be discarded."
    )
    seed = models.BigIntegerField()
    request = models.JSONField(
        default=dict, help_text="What was asked for when it was opened, word for word."
    )
    plan_hash = models.CharField(
        max_length=64,
        blank=True,
        help_text="The hash of the plan that was opened: the same plan has the same.",
    )
    due_on = models.DateField(null=True)
    opened_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    opened_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-opened_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="batch_name_once", fields=["study", "name"]),
            models.CheckConstraint(name="batch_kind_known", condition=Q(kind__in=BatchKind.values)),
            models.CheckConstraint(name="batch_state_known", condition=Q(state__in=BatchState.values)),
        ]

    def __str__(self) -> str:
        return self.name


class Assignment(models.Model):
    """One annotator's share of a batch. Who is withdrawn works on it no longer; what they did stays."""

    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="assignments")
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="assignments"
    )
    assigned_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["batch", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="assignment_once_per_batch", fields=["batch", "annotator"]),
        ]

    def __str__(self) -> str:
        return f"{self.batch} of {self.annotator}"


class AssignedItem(models.Model):
    """An item in somebody's share. One that was taken back is with somebody else now, or with nobody."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="assigned_items")
    item = models.ForeignKey(Item, on_delete=models.RESTRICT, related_name="assigned_items")
    position = models.PositiveIntegerField()
    taken_back_at = models.DateTimeField(null=True)
    is_extra = models.BooleanField(
        default=False, help_text="Asked because earlier answers to the item left it open."
    )

    class Meta:
        ordering: ClassVar = ["assignment", "position"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="item_once_per_assignment", fields=["assignment", "item"]),
            models.UniqueConstraint(name="position_once_per_assignment", fields=["assignment", "position"]),
        ]

    def __str__(self) -> str:
        return f"{self.item} for {self.assignment}"
