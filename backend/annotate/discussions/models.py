"""What people say about items they were not sure of, and how each doubt was settled."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from backend.annotate.batches.models import AssignedItem


class DiscussionState(models.TextChoices):
    """Open: a researcher should answer. Waiting: the annotator should. Withdrawn: the annotator took the flag back."""

    OPEN = "open", "Open"
    WAITING = "waiting", "Waiting"
    SETTLED = "settled", "Settled"
    WITHDRAWN = "withdrawn", "Withdrawn"


class Discussion(models.Model):
    """One annotator's flag on one item. It outlives the flag: a rebuild of judgments never touches what was said."""

    assigned_item = models.OneToOneField(AssignedItem, on_delete=models.CASCADE, related_name="discussion")
    state = models.CharField(max_length=20, choices=DiscussionState.choices, default=DiscussionState.OPEN)
    is_flagged = models.BooleanField(help_text="Whether the flag stands, as of when it was last followed.")
    comment = models.TextField(
        blank=True, help_text="What the annotator wrote with the flag, as it stands now."
    )
    opened_at = models.DateTimeField()
    changed_at = models.DateTimeField()
    shared_at = models.DateTimeField(
        null=True, help_text="Since when every annotator of the study may read it."
    )
    settled_at = models.DateTimeField(null=True)
    settled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    reason = models.TextField(blank=True)
    proposed_code = models.CharField(max_length=80, blank=True, help_text="Which code's text should change.")
    proposed_change = models.TextField(blank=True, help_text="How the codebook's text should change.")

    class Meta:
        ordering: ClassVar = ["opened_at", "pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                name="discussion_state_known", condition=Q(state__in=DiscussionState.values)
            ),
            models.CheckConstraint(
                name="settled_with_a_reason",
                condition=~Q(state=DiscussionState.SETTLED)
                | (Q(settled_at__isnull=False, settled_by__isnull=False) & ~Q(reason="")),
            ),
            models.CheckConstraint(
                name="withdrawn_without_flag",
                condition=~Q(state=DiscussionState.WITHDRAWN) | Q(is_flagged=False),
            ),
        ]

    def __str__(self) -> str:
        return f"discussion of {self.assigned_item}"


class Message(models.Model):
    """One thing said; a database trigger refuses to rewrite it."""

    discussion = models.ForeignKey(Discussion, on_delete=models.CASCADE, related_name="messages")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    body = models.TextField()
    from_label_studio = models.BooleanField(help_text="Written beside the flag and not here.")
    settles = models.BooleanField(
        default=False, help_text="The reason with which the discussion was settled."
    )
    said_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["said_at", "pk"]
        constraints: ClassVar = [
            models.CheckConstraint(name="message_says_something", condition=~Q(body="")),
        ]

    def __str__(self) -> str:
        return f"{self.author} at {self.said_at}"
