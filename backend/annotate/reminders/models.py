"""That somebody was reminded of a share, so that it happens once."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from backend.annotate.batches.models import Assignment


class Reminder(models.Model):
    """Of one due date: whoever gets more time is reminded again."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="reminders")
    due_on = models.DateField()
    sent_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(name="reminded_once", fields=["assignment", "due_on"]),
        ]

    def __str__(self) -> str:
        return f"{self.assignment}, due on {self.due_on}"
