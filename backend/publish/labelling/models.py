"""Labelling runs of a study: rows that point to folders of labels."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import msgspec
from django.conf import settings
from django.db import models
from django.db.models import Q

from backend.core.jobs.models import Job
from backend.core.studies.models import Study
from backend.design.codebooks.models import Edition
from backend.design.corpora.models import Corpus
from backend.design.samples.models import Sample
from backend.learn.models.models import Adapter
from learning.labelling.facts import RunScope
from learning.labelling.folder import RunFolder


def labelled_folder(study: Study) -> Path:
    """Named by the row too, so that a new study never finds what is left of a deleted one."""
    return Path(settings.LABELLED_DIR) / f"{study.pk}-{study.slug}"


class LabellingState(models.TextChoices):
    """What was last done with a run; `selectors.current_state` says how it stands, whatever became of its job."""

    WAITING = "waiting", "Waiting"
    RUNNING = "running", "Under way"
    PAUSED = "paused", "Paused"
    FINISHED = "finished", "Finished"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Stopped"


class LabellingRun(models.Model):
    """One adapter over one scope of texts. What is labelled lies in files; of the texts none stays."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="labelling_runs")
    number = models.PositiveIntegerField()
    adapter = models.ForeignKey(Adapter, on_delete=models.RESTRICT, related_name="labelling_runs")
    edition = models.ForeignKey(Edition, on_delete=models.RESTRICT, related_name="+")
    corpus = models.ForeignKey(Corpus, on_delete=models.RESTRICT, related_name="labelling_runs")
    sample = models.ForeignKey(Sample, null=True, on_delete=models.RESTRICT, related_name="labelling_runs")
    scope = models.JSONField(help_text="Which texts, as the run's facts have it.")
    corpus_state = models.CharField(max_length=16, help_text="Of the corpus when the run was asked for.")
    seed = models.BigIntegerField()
    state = models.CharField(max_length=20, choices=LabellingState.choices, default=LabellingState.WAITING)
    price_per_hour = models.DecimalField(
        max_digits=10, decimal_places=4, null=True, help_text="Of one machine, in whatever currency."
    )
    job = models.ForeignKey(Job, null=True, on_delete=models.SET_NULL, related_name="labelling_runs")
    n_posts = models.PositiveIntegerField(default=0, help_text="Units that are posts; 0 until it is staged.")
    n_replies = models.PositiveIntegerField(default=0, help_text="Units that are replies.")
    n_shards = models.PositiveIntegerField(default=0)
    n_labelled = models.PositiveIntegerField(default=0, help_text="Units whose shard is written.")
    n_workers = models.PositiveIntegerField(default=0, help_text="Ready at the last look.")
    seconds_worked = models.FloatField(default=0.0, help_text="Machine time of the shards that are written.")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    output_hash = models.CharField(
        max_length=64, blank=True, help_text="Of the manifest, which has the hash of every file."
    )

    class Meta:
        ordering: ClassVar = ["study", "-number"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="labelling_number_once", fields=["study", "number"]),
            models.CheckConstraint(
                name="labelling_state_known", condition=Q(state__in=LabellingState.values)
            ),
            models.CheckConstraint(
                name="labelling_finished_if_and_only_if_hashed",
                condition=(Q(state=LabellingState.FINISHED, finished_at__isnull=False) & ~Q(output_hash=""))
                | (~Q(state=LabellingState.FINISHED) & Q(output_hash="", finished_at__isnull=True)),
            ),
            models.CheckConstraint(
                name="labelling_price_is_none_below_zero",
                condition=Q(price_per_hour=None) | Q(price_per_hour__gte=0),
            ),
        ]

    def __str__(self) -> str:
        return f"Labelling run {self.number}"

    @property
    def folder(self) -> Path:
        return labelled_folder(self.study) / f"run-{self.number}"

    @property
    def files(self) -> RunFolder:
        return RunFolder(self.folder)

    @property
    def n_units(self) -> int:
        return self.n_posts + self.n_replies

    def read_scope(self) -> RunScope:
        return msgspec.convert(self.scope, RunScope)
