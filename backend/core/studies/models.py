"""A study, who takes part in it as what, and what has happened in it."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models


class StudyRole(models.TextChoices):
    """What a person does in one study. Who does both may do what researchers may, blind to what they still judge."""

    ANNOTATOR = "annotator", "Annotator"
    RESEARCHER = "researcher", "Researcher"
    BOTH = "both", "Researcher and annotator"

    @property
    def researches(self) -> bool:
        return self in RESEARCHING

    @property
    def annotates(self) -> bool:
        return self in ANNOTATING

    def with_role(self, other: StudyRole) -> StudyRole:
        """What somebody is who is both."""
        return self if self == other else StudyRole.BOTH


RESEARCHING = (StudyRole.RESEARCHER, StudyRole.BOTH)
ANNOTATING = (StudyRole.ANNOTATOR, StudyRole.BOTH)


class Study(models.Model):
    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=60, unique=True)
    description = models.TextField(blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    remind_days_before = models.PositiveSmallIntegerField(
        null=True, help_text="So many days before a batch is due annotators are reminded; empty: never."
    )
    archived_at = models.DateTimeField(null=True, help_text="Since when it can only be read.")
    deletion_asked_at = models.DateTimeField(
        null=True, help_text="Since when nobody gets in, because it is being deleted."
    )

    class Meta:
        verbose_name_plural = "studies"

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20, choices=StudyRole.choices)
    added_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(name="one_membership_per_study", fields=["study", "user"]),
            models.CheckConstraint(
                name="membership_role_known", condition=models.Q(role__in=StudyRole.values)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.study} as {self.role}"

    @property
    def researches(self) -> bool:
        return StudyRole(self.role).researches

    @property
    def annotates(self) -> bool:
        return StudyRole(self.role).annotates


class Invitation(models.Model):
    """A link that makes whoever opens it a member, once. Only its hash is kept, so a stolen database opens nothing."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=20, choices=StudyRole.choices)
    token_hash = models.CharField(max_length=64, unique=True)
    note = models.CharField(
        max_length=120, blank=True, help_text="Whom it is for; an address if it was e-mailed."
    )
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True)
    used_at = models.DateTimeField(null=True)
    used_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                name="invitation_role_known", condition=models.Q(role__in=StudyRole.values)
            ),
            models.CheckConstraint(
                name="invitation_used_by_somebody",
                condition=models.Q(used_at=None, used_by=None)
                | models.Q(used_at__isnull=False, used_by__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"Invitation to {self.study} as {self.role}"


class Event(models.Model):
    """One line of a study's history; lines are only ever added."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="events")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    at = models.DateTimeField()
    summary = models.CharField(max_length=300)

    class Meta:
        indexes: ClassVar = [models.Index(name="event_by_study", fields=["study", "-at"])]

    def __str__(self) -> str:
        return self.summary
