"""What came from Label Studio, verbatim and for good; and what was made of it, which can be made again."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from backend.annotate.batches.models import AssignedItem, Assignment
from codebook.schema import Part


class Change(models.TextChoices):
    """What a version of an annotation says."""

    SUBMITTED = "submitted", "Submitted"
    SKIPPED = "skipped", "Skipped"
    DELETED = "deleted", "Deleted"


class AnnotationVersion(models.Model):
    """One state in which an annotation was seen, in the order of seeing; a database trigger refuses to rewrite it."""

    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="annotation_versions")
    project_marker = models.CharField(
        max_length=80, help_text="The project it is in: numbers are given out again, markers are not."
    )
    project_id = models.PositiveBigIntegerField(help_text="Label Studio's number of the project.")
    task_id = models.PositiveBigIntegerField(help_text="Label Studio's number of the task.")
    annotation_id = models.PositiveBigIntegerField(help_text="Label Studio's number of the annotation.")
    account_id = models.PositiveBigIntegerField(help_text="Label Studio's number of who made it.")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="Who that is here; empty if the account is none of ours.",
    )
    item_key = models.TextField(help_text="The item's id as the task carries it.")
    change = models.CharField(max_length=20, choices=Change.choices)
    body = models.TextField(
        help_text="The annotation as it was received, as canonical JSON; empty for a deletion."
    )
    sha256 = models.CharField(max_length=64)
    lead_seconds = models.FloatField(null=True)
    from_prediction = models.BooleanField()
    created_there_at = models.DateTimeField(
        help_text="When the annotation was first submitted, by Label Studio."
    )
    changed_there_at = models.DateTimeField(help_text="When this state was made, by Label Studio's clock.")
    seen_at = models.DateTimeField()
    came_late = models.BooleanField(
        default=False, help_text="A newer state had been seen already, so this one never stood."
    )

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.CheckConstraint(name="version_change_known", condition=Q(change__in=Change.values)),
        ]
        indexes: ClassVar = [
            models.Index(name="version_of_item", fields=["assignment", "item_key"]),
            models.Index(name="version_of_annotation", fields=["assignment", "annotation_id"]),
        ]

    def __str__(self) -> str:
        return f"annotation {self.annotation_id} {self.change}"


class SubmissionState(models.TextChoices):
    SUBMITTED = "submitted", "Submitted"
    SKIPPED = "skipped", "Skipped"


class Submission(models.Model):
    """Derived: the sound answer of an annotator to one assigned item, as it stands now."""

    assigned_item = models.OneToOneField(AssignedItem, on_delete=models.CASCADE, related_name="submission")
    version = models.ForeignKey(AnnotationVersion, on_delete=models.CASCADE, related_name="+")
    state = models.CharField(max_length=20, choices=SubmissionState.choices)
    submitted_at = models.DateTimeField()
    changed_at = models.DateTimeField()
    edits = models.PositiveIntegerField()
    lead_seconds = models.FloatField(null=True)
    from_prediction = models.BooleanField()
    is_flagged = models.BooleanField()
    flag_comment = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"{self.assigned_item}: {self.state}"


class Judgment(models.Model):
    """Derived: what one annotator says about one code of one item; present only if the submission is not a skip."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="judgments")
    code = models.CharField(max_length=80)
    value = models.SmallIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(name="judgment_once_per_code", fields=["submission", "code"]),
        ]

    def __str__(self) -> str:
        return f"{self.code} = {self.value}"


class Span(models.Model):
    """Derived: the words behind a judgment, from start up to end in code points of the part's text."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="spans")
    code = models.CharField(max_length=80)
    part = models.CharField(max_length=10, choices=[(part.value, part.value) for part in Part])
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="span_once", fields=["submission", "code", "part", "start", "end"]),
            models.CheckConstraint(name="span_holds_words", condition=Q(end__gt=models.F("start"))),
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.part}[{self.start}:{self.end}]"


class Quarantined(models.Model):
    """Derived: a version that stands now but cannot be taken as a judgment, with the reasons."""

    version = models.OneToOneField(AnnotationVersion, on_delete=models.CASCADE, related_name="quarantined")
    assigned_item = models.ForeignKey(
        AssignedItem, null=True, on_delete=models.CASCADE, related_name="quarantined"
    )
    problems = models.JSONField()
    is_fixable = models.BooleanField(help_text="Whether the annotator can mend it in Label Studio.")

    def __str__(self) -> str:
        return f"quarantined {self.version}"
