"""The job row: what to do, who holds it, how far it is and how it ended."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

MAX_ATTEMPTS = 3


class JobState(models.TextChoices):
    QUEUED = "queued", "Queued"
    RUNNING = "running", "Running"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


ACTIVE_STATES = (JobState.QUEUED, JobState.RUNNING)
OVER_STATES = (JobState.DONE, JobState.FAILED, JobState.CANCELLED)

_RUNNING = Q(state=JobState.RUNNING)
_NOT_RUNNING = Q(state__in=[state for state in JobState if state != JobState.RUNNING])


class Job(models.Model):
    kind = models.CharField(max_length=64)
    study = models.ForeignKey("studies.Study", null=True, on_delete=models.CASCADE, related_name="jobs")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    arguments = models.JSONField()
    state = models.CharField(max_length=16, choices=JobState.choices, default=JobState.QUEUED)

    created_at = models.DateTimeField()
    woken_at = models.DateTimeField(null=True, help_text="When a wake-up message was last sent, if one was.")
    started_at = models.DateTimeField(null=True, help_text="When the latest attempt began.")
    finished_at = models.DateTimeField(null=True)

    fence = models.PositiveIntegerField(
        default=0, help_text="Grows with every claim; only its holder writes."
    )
    attempts = models.PositiveSmallIntegerField(default=0, help_text="Claims that were not handed back.")
    lease_until = models.DateTimeField(null=True)
    heartbeat_at = models.DateTimeField(null=True)
    cancel_requested = models.BooleanField(default=False)

    progress_start = models.PositiveBigIntegerField(default=0, help_text="Done before this attempt began.")
    progress_done = models.PositiveBigIntegerField(default=0)
    progress_total = models.PositiveBigIntegerField(null=True)
    progress_unit = models.TextField(default="", blank=True)
    progress_note = models.TextField(default="", blank=True)
    result = models.JSONField(null=True)
    error = models.TextField(default="", blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [
            models.Index(fields=["study", "-created_at"], name="job_of_study"),
            models.Index(fields=["woken_at"], name="job_to_wake", condition=Q(state=JobState.QUEUED)),
            models.Index(fields=["lease_until"], name="job_to_requeue", condition=Q(state=JobState.RUNNING)),
        ]
        constraints = [
            models.CheckConstraint(name="job_state_is_known", condition=Q(state__in=JobState.values)),
            models.CheckConstraint(
                name="job_runs_if_and_only_if_leased",
                condition=(
                    _RUNNING
                    & Q(lease_until__isnull=False, heartbeat_at__isnull=False, started_at__isnull=False)
                    & Q(fence__gte=1, attempts__gte=1)
                )
                | (_NOT_RUNNING & Q(lease_until__isnull=True, heartbeat_at__isnull=True)),
            ),
            models.CheckConstraint(
                name="job_is_over_if_and_only_if_finished",
                condition=Q(state__in=OVER_STATES, finished_at__isnull=False)
                | Q(state__in=ACTIVE_STATES, finished_at__isnull=True),
            ),
            models.CheckConstraint(
                name="job_failed_if_and_only_if_error",
                condition=(Q(state=JobState.FAILED) & ~Q(error=""))
                | (~Q(state=JobState.FAILED) & Q(error="")),
            ),
            models.CheckConstraint(
                name="job_result_needs_done", condition=Q(state=JobState.DONE) | Q(result__isnull=True)
            ),
            models.CheckConstraint(
                name="job_queued_is_wanted", condition=~Q(state=JobState.QUEUED) | Q(cancel_requested=False)
            ),
            models.CheckConstraint(name="job_attempts_are_bounded", condition=Q(attempts__lte=MAX_ATTEMPTS)),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk} ({self.state})"

    @property
    def title(self) -> str:
        return self.kind.replace("_", " ").capitalize()

    @property
    def is_over(self) -> bool:
        return self.state in OVER_STATES
