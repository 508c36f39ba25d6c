"""Releases of a study: rows that point to frozen folders."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from django.conf import settings
from django.db import models

from backend.core.studies.models import Study
from backend.design.codebooks.models import Edition


def releases_folder(study: Study) -> Path:
    """Named by the row too, so that a new study never finds what is left of a deleted one."""
    return Path(settings.RELEASES_DIR) / f"{study.pk}-{study.slug}"


class Release(models.Model):
    """One frozen dataset, made here or brought in; a database trigger refuses to rewrite it."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="releases")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=120)
    edition = models.ForeignKey(Edition, on_delete=models.RESTRICT, related_name="releases")
    hash = models.CharField(max_length=64, help_text="Of the manifest, which holds the hash of every file.")
    request = models.JSONField(help_text="What was asked for when it was frozen, as in the manifest.")
    counts = models.JSONField(help_text="What it holds, as in the manifest.")
    note = models.TextField(blank=True)
    is_imported = models.BooleanField(default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["study", "-number"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="release_number_once", fields=["study", "number"]),
            models.UniqueConstraint(name="release_name_once", fields=["study", "name"]),
            models.UniqueConstraint(name="release_content_once", fields=["study", "hash"]),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def folder(self) -> Path:
        return releases_folder(self.study) / str(self.number)
