"""Gold answers: what the researchers hold to be right for an item, and why."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from backend.codebooks.models import Edition
from backend.samples.models import Item


class GoldAnswer(models.Model):
    """The right answers to one item under one edition; `answers` and `reasons` are read by practice.gold alone."""

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="gold_answers")
    edition = models.ForeignKey(Edition, on_delete=models.CASCADE, related_name="gold_answers")
    answers = models.JSONField(help_text="Judgments and spans.")
    reasons = models.JSONField(help_text="Why, by code; shown to annotators after they submitted.")
    written_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    written_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(name="gold_once_per_edition", fields=["item", "edition"]),
        ]

    def __str__(self) -> str:
        return f"gold of {self.item}"
