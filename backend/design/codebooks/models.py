"""The editions of a study's codebook: added one after another, never changed."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from backend.core.studies.models import Study


class Edition(models.Model):
    """One frozen edition; a database trigger refuses to rewrite it."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="editions")
    number = models.PositiveIntegerField()
    name = models.TextField()
    title = models.TextField()
    hash = models.CharField(max_length=64)
    canonical = models.TextField()
    source = models.TextField()
    note = models.TextField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["study", "-number"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="edition_number_once", fields=["study", "number"]),
            models.UniqueConstraint(name="edition_content_once", fields=["study", "hash"]),
            models.CheckConstraint(name="edition_has_note", condition=~models.Q(note="")),
        ]

    def __str__(self) -> str:
        return f"{self.name}, edition {self.number}"
