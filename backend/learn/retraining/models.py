"""When a study's model learns anew, and what came of each time it did."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from backend.core.jobs.models import Job
from backend.core.studies.models import Study
from backend.decide.releases.models import Release
from backend.design.codebooks.models import Edition
from backend.learn.models.models import Adapter, PromotionReport

USUAL_LEARNER = "encoder-lora"


class ScheduleKind(models.TextChoices):
    NIGHTLY = "nightly", "Every night"
    WEEKLY = "weekly", "Once a week"
    JUDGMENTS = "judgments", "When enough is new"


class RetrainingSchedule(models.Model):
    """When a study retrains by itself. Whoever starts an occasion moves `after` to it, by compare-and-swap."""

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="retraining_schedule")
    is_on = models.BooleanField()
    kind = models.CharField(max_length=20, choices=ScheduleKind.choices)
    hour = models.PositiveSmallIntegerField(help_text="On the instance's clock; for nights and weeks.")
    weekday = models.PositiveSmallIntegerField(help_text="Monday is 0; for weeks.")
    enough = models.PositiveIntegerField(help_text="How many new final judgments start a run.")
    learner = models.CharField(max_length=60, default=USUAL_LEARNER)
    options = models.JSONField(default=dict, help_text="Of the learner; what is not given keeps its default.")
    continues = models.BooleanField(
        default=False,
        help_text="Whether training begins from the adapter in service, if it is of this learner.",
    )
    after = models.DateTimeField(help_text="Only occasions after this moment count.")
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    changed_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                name="retraining_schedule_kind_known", condition=Q(kind__in=ScheduleKind.values)
            ),
            models.CheckConstraint(name="retraining_hour_of_a_day", condition=Q(hour__lte=23)),
            models.CheckConstraint(name="retraining_day_of_a_week", condition=Q(weekday__lte=6)),
            models.CheckConstraint(name="retraining_enough_is_something", condition=Q(enough__gte=1)),
        ]

    def __str__(self) -> str:
        return f"retraining of {self.study}: {self.kind}"


class RunState(models.TextChoices):
    """What became of a run. One that failed or was stopped can be taken up again."""

    RUNNING = "running", "Under way"
    PROMOTED = "promoted", "Took over"
    KEPT_OUT = "kept_out", "Not in service"
    NOTHING_NEW = "nothing_new", "Nothing new"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Stopped"


class StepKind(models.TextChoices):
    """In this order."""

    FREEZE = "freeze", "Freeze a release"
    TRAIN = "train", "Train"
    PROMOTION = "promotion", "Measure against the model in service"
    PROMOTE = "promote", "Put into service"
    PRELABEL = "prelabel", "Pre-label open batches"


class RetrainingRun(models.Model):
    """One time that a study's model learnt anew. An occasion starts one run, and a study has one under way."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="retraining_runs")
    number = models.PositiveIntegerField()
    occasion = models.CharField(max_length=80, help_text="What started it; the same never starts two.")
    job = models.OneToOneField(Job, on_delete=models.RESTRICT, related_name="retraining_run")
    state = models.CharField(max_length=20, choices=RunState.choices, default=RunState.RUNNING)
    words = models.CharField(max_length=600, blank=True, help_text="What came of it, in a sentence or two.")
    final_judgments = models.PositiveIntegerField(help_text="How many there were when it started.")
    edition = models.ForeignKey(
        Edition, on_delete=models.RESTRICT, related_name="+", help_text="The newest when it started."
    )
    previous = models.ForeignKey(
        Release,
        null=True,
        on_delete=models.RESTRICT,
        related_name="+",
        help_text="The newest release when it started.",
    )
    release = models.ForeignKey(
        Release, null=True, on_delete=models.RESTRICT, related_name="+", help_text="What it learnt from."
    )
    training = models.JSONField(
        help_text="Learner, options and seed, as they were asked for when it started."
    )
    adapter = models.ForeignKey(
        Adapter, null=True, on_delete=models.RESTRICT, related_name="+", help_text="What it learnt."
    )
    promotion_report = models.ForeignKey(
        PromotionReport,
        null=True,
        on_delete=models.RESTRICT,
        related_name="+",
        help_text="What the promotion rule found.",
    )
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="Empty if the schedule did.",
    )
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["study", "-number"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="retraining_number_once", fields=["study", "number"]),
            models.UniqueConstraint(name="retraining_occasion_once", fields=["study", "occasion"]),
            models.UniqueConstraint(
                name="retraining_one_under_way", fields=["study"], condition=Q(state=RunState.RUNNING)
            ),
            models.CheckConstraint(name="retraining_state_known", condition=Q(state__in=RunState.values)),
            models.CheckConstraint(
                name="retraining_over_if_and_only_if_finished",
                condition=Q(state=RunState.RUNNING, finished_at=None)
                | (~Q(state=RunState.RUNNING) & Q(finished_at__isnull=False)),
            ),
        ]

    def __str__(self) -> str:
        return f"Retraining {self.number}"

    @property
    def is_over(self) -> bool:
        return self.state != RunState.RUNNING


class RunStep(models.Model):
    """One step of a run. What is done is not done again, however often the job is started."""

    run = models.ForeignKey(RetrainingRun, on_delete=models.CASCADE, related_name="steps")
    kind = models.CharField(max_length=20, choices=StepKind.choices)
    begun_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True)
    words = models.CharField(max_length=600, blank=True, help_text="What it did, in a sentence.")

    class Meta:
        ordering: ClassVar = ["run", "begun_at", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="retraining_step_once", fields=["run", "kind"]),
            models.CheckConstraint(name="retraining_step_known", condition=Q(kind__in=StepKind.values)),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.run}"
