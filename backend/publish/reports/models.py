"""Reports of a study: rows that point to folders, and what came of making them again."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from django.conf import settings
from django.db import models

from backend.core.studies.models import Study
from backend.decide.releases.models import Release
from backend.publish.labelling.models import LabellingRun


def reports_folder(study: Study) -> Path:
    """Named by the row too, so that a new study never finds what is left of a deleted one."""
    return Path(settings.REPORTS_DIR) / f"{study.pk}-{study.slug}"


class Report(models.Model):
    """One report; a database trigger refuses to rewrite it."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="reports")
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=200)
    labelling_run = models.ForeignKey(LabellingRun, on_delete=models.RESTRICT, related_name="reports")
    release = models.ForeignKey(
        Release,
        null=True,
        on_delete=models.RESTRICT,
        related_name="reports",
        help_text="Whose labels correct the model's; empty where all estimates are naive.",
    )
    request = models.JSONField(help_text="What was asked for, from which it can be made again.")
    manifest_hash = models.CharField(
        max_length=64, help_text="Of the manifest, which holds the hash of every file."
    )
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["study", "-number"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="report_number_once", fields=["study", "number"])
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def folder(self) -> Path:
        return reports_folder(self.study) / f"report-{self.number}"


class ReportCheck(models.Model):
    """That a report was made again, and which of its files, if any, came out differently."""

    report = models.ForeignKey(Report, on_delete=models.CASCADE, related_name="checks")
    differing = models.JSONField(help_text="Paths of files, or what went in, that are not the same.")
    checked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    checked_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-checked_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.report} made again"

    @property
    def is_same(self) -> bool:
        return not self.differing
