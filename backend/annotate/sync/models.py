"""What Attune knows of Label Studio: which project stands for which share, and how far it has read."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from backend.annotate.batches.models import Assignment, Batch
from backend.core.jobs.models import Job


class Account(models.Model):
    """The account that Attune made in Label Studio for a person."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="label_studio_account"
    )
    label_studio_id = models.PositiveBigIntegerField(unique=True)
    email = models.CharField(max_length=200)

    def __str__(self) -> str:
        return self.email


class ProjectState(models.TextChoices):
    """A project is wanted until Label Studio holds it with all its items; gone if it vanished there."""

    WANTED = "wanted", "Being prepared"
    READY = "ready", "Ready"
    GONE = "gone", "Gone from Label Studio"


class Project(models.Model):
    """The Label Studio project of one share.

    Its marker is what it is known by: a project whose making was cut short is found again by it, and one that has
    to be made again gets another, so that a number that Label Studio gives out twice is never mistaken.
    """

    assignment = models.OneToOneField(Assignment, on_delete=models.CASCADE, related_name="project")
    marker = models.CharField(max_length=80, unique=True)
    label_studio_id = models.PositiveBigIntegerField(null=True)
    state = models.CharField(max_length=20, choices=ProjectState.choices, default=ProjectState.WANTED)
    has_webhooks = models.BooleanField(
        default=False, help_text="Whether Label Studio agreed to give webhooks."
    )
    seat_open = models.BooleanField(default=False, help_text="Whether the annotator can get in there.")

    read_up_to = models.DateTimeField(null=True, help_text="Every change up to here is in the sync.")
    newest_change = models.DateTimeField(null=True, help_text="The newest change seen there, by its clock.")
    newest_seen_at = models.DateTimeField(null=True, help_text="When that change was first seen, by ours.")
    tried_at = models.DateTimeField(null=True, help_text="When it was last asked, with or without an answer.")
    polled_at = models.DateTimeField(null=True)
    poll_error = models.TextField(blank=True)
    tasks_there = models.PositiveIntegerField(default=0)
    annotations_there = models.PositiveIntegerField(default=0)
    skipped_there = models.PositiveIntegerField(default=0)
    drafts_there = models.PositiveIntegerField(default=0)
    counted_at = models.DateTimeField(
        null=True, help_text="When the items there were last counted one by one."
    )
    read_whole_at = models.DateTimeField(null=True, help_text="When everything in it was last read.")

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(name="project_state_known", condition=Q(state__in=ProjectState.values)),
            models.CheckConstraint(
                name="ready_project_is_there",
                condition=~Q(state=ProjectState.READY) | Q(label_studio_id__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"project of {self.assignment}"


class BatchLock(models.Model):
    """Whose turn it is to bring a batch in line: the job's, for as long as it runs."""

    batch = models.OneToOneField(Batch, on_delete=models.CASCADE, related_name="+")
    job = models.ForeignKey(Job, null=True, on_delete=models.SET_NULL, related_name="+")

    def __str__(self) -> str:
        return f"turn at {self.batch}"
