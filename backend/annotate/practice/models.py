"""Gold answers: what the researchers hold to be right for an item, and why."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from backend.design.codebooks.models import Edition
from backend.design.samples.models import Item


class GoldQuerySet(models.QuerySet["GoldAnswer"]):
    def current(self) -> GoldQuerySet:
        """What stands now; the rest is history."""
        return self.filter(replaced_at=None)


class GoldAnswer(models.Model):
    """The right answers to one item under one edition; `answers` and `reasons` are read by practice.gold alone.

    Gold is never rewritten: what was changed or deleted stays, with when and by whom it was replaced.
    """

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="gold_answers")
    edition = models.ForeignKey(Edition, on_delete=models.CASCADE, related_name="gold_answers")
    answers = models.JSONField(help_text="Judgments and spans.")
    reasons = models.JSONField(help_text="Why, by code; shown to annotators after they submitted.")
    written_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    written_at = models.DateTimeField()
    replaced_at = models.DateTimeField(null=True, help_text="Since when other gold stands, or none.")
    replaced_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )

    objects = GoldQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="gold_once_per_edition", fields=["item", "edition"], condition=Q(replaced_at=None)
            ),
        ]

    def __str__(self) -> str:
        return f"gold of {self.item}"
