"""Places in the texts of items that may tell who somebody is, and what was decided about each."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from backend.design.samples.models import Item
from corpus.personal_data import PersonalKind


class FindingState(models.TextChoices):
    OPEN = "open", "Open"
    REPLACED = "replaced", "Replaced"
    KEPT = "kept", "Kept"


class TextPart(models.TextChoices):
    """The values are the fields of an item."""

    TITLE = "title", "Title"
    POST = "post_text", "Post"
    REPLY = "reply_text", "Reply"


class Finding(models.Model):
    """A stretch of one text, in code points. The text itself is the item's: nothing is written down twice."""

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="personal_findings")
    part = models.CharField(max_length=20, choices=TextPart.choices)
    kind = models.CharField(max_length=20, choices=[(kind.value, kind.value) for kind in PersonalKind])
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    state = models.CharField(max_length=20, choices=FindingState.choices, default=FindingState.OPEN)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    decided_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["item", "part", "start"]
        constraints: ClassVar = [
            models.CheckConstraint(name="finding_has_length", condition=Q(end__gt=F("start"))),
            models.CheckConstraint(name="finding_state_known", condition=Q(state__in=FindingState.values)),
            models.CheckConstraint(
                name="finding_decided_by_somebody",
                condition=Q(state=FindingState.OPEN, decided_by=None, decided_at=None)
                | (~Q(state=FindingState.OPEN) & Q(decided_at__isnull=False)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} in {self.item}"

    @property
    def text(self) -> str:
        return getattr(self.item, self.part) or ""
