"""Transfer studies of a study, and what they found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import msgspec
from django.conf import settings
from django.db import models

from backend.core.jobs.models import Job, JobState
from backend.core.studies.models import Study

if TYPE_CHECKING:
    from learning.transfer.results import TransferResults
    from learning.transfer.study import TransferStudy


class TransferRun(models.Model):
    """Its cells lie among what passes, so that no backup takes them along; what it found is in the row."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="transfer_runs")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=120)
    request = models.TextField(help_text="The transfer study with whole paths, JSON.")
    job = models.ForeignKey(Job, null=True, on_delete=models.SET_NULL, related_name="+")
    results = models.TextField(blank=True, help_text="What it found, JSON; empty until it is done.")
    pairs = models.TextField(blank=True, help_text="The features of its pairs, CSV.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["study", "-number"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="transfer_number_once", fields=["study", "number"]),
            models.CheckConstraint(
                name="transfer_finished_with_results",
                condition=models.Q(finished_at__isnull=True, results="")
                | models.Q(finished_at__isnull=False) & ~models.Q(results=""),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def folder(self) -> Path:
        from backend.core.ml_tasks.folders import tasks_home  # numpy comes with the contract of tasks

        return tasks_home(self.study) / f"transfer-{self.number}"

    @property
    def is_finished(self) -> bool:
        return self.finished_at is not None

    @property
    def is_under_way(self) -> bool:
        return not self.is_finished and self.job is not None and not self.job.is_over

    @property
    def state(self) -> str:
        """In a word that pages and calls share."""
        if self.is_finished:
            return "finished"
        if self.job is None or self.job.state == JobState.CANCELLED:
            return "stopped"
        return {JobState.RUNNING: "running", JobState.FAILED: "failed"}.get(
            JobState(self.job.state), "waiting"
        )

    def read_request(self) -> TransferStudy:
        from learning.transfer.study import TransferStudy  # what reads studies comes with it

        return msgspec.json.decode(self.request, type=TransferStudy)

    def read_results(self) -> TransferResults | None:
        from learning.transfer.results import TransferResults  # numpy comes with it

        return msgspec.json.decode(self.results, type=TransferResults) if self.results else None
