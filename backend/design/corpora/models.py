"""A corpus of a study: a row that points to a directory of Parquet files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.db import models

from backend.core.studies.models import Study

if TYPE_CHECKING:
    from corpus.store import CorpusStore


class Corpus(models.Model):
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="corpora")
    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=60)
    description = models.TextField(blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "corpora"
        ordering: ClassVar = ["name"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="corpus_slug_once", fields=["study", "slug"]),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def directory(self) -> Path:
        """Named by the row, so that a new corpus never finds what is left of a deleted one."""
        return Path(settings.CORPORA_DIR) / f"{self.pk}-{self.slug}"

    @property
    def store(self) -> CorpusStore:
        from corpus.store import (
            CorpusStore,  # polars behind it takes long to load, and most commands read no corpus
        )

        return CorpusStore(self.directory)
