"""What is left of a study that was deleted: that it was there, and who deleted it when."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models


class StudyDeletion(models.Model):
    """One line for each study that is gone; a database trigger refuses to rewrite it."""

    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=60)
    started_at = models.DateTimeField(help_text="When the study was started.")
    deleted_at = models.DateTimeField()
    deleted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="Empty if it was deleted by a command.",
    )
    counts = models.JSONField(help_text="How much of what went with it.")
    job_id = models.BigIntegerField(null=True, help_text="The number of the job that did it.")

    class Meta:
        ordering: ClassVar = ["-deleted_at", "-pk"]

    @property
    def what_went(self) -> list[tuple[str, int]]:
        return list(self.counts.items())

    def __str__(self) -> str:
        return f"{self.name}, deleted at {self.deleted_at}"
