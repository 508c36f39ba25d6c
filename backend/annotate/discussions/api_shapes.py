"""What calls about discussions send and answer; an annotator gets people's display names, never their log-in names."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from ninja import Field, Schema

from backend.annotate.discussions import services
from backend.annotate.discussions.models import Discussion, DiscussionState, Message
from backend.annotate.discussions.selectors import Proposal, annotator_of
from backend.core.accounts.models import User


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who asks; found out once for each call."""

    is_researcher: bool

    def name_of(self, person: User) -> str:
        return person.username if self.is_researcher else str(person)


class DiscussionOut(Schema):
    id: int
    item_id: str
    batch: int | None = Field(description="For researchers only.")
    annotator: str = Field(description="The log-in name; annotators are told the display name.")
    state: DiscussionState
    is_flagged: bool
    comment: str
    opened_at: datetime
    changed_at: datetime
    shared_at: datetime | None
    settled_at: datetime | None
    reason: str
    proposed_code: str
    proposed_change: str

    @classmethod
    def of(cls, found: Discussion, viewer: Viewer) -> DiscussionOut:
        assignment = found.assigned_item.assignment
        return cls(
            id=found.pk,
            item_id=found.assigned_item.item.item_id,
            batch=assignment.batch_id if viewer.is_researcher else None,
            annotator=viewer.name_of(annotator_of(found)),
            state=DiscussionState(found.state),
            is_flagged=found.is_flagged,
            comment=found.comment,
            opened_at=found.opened_at,
            changed_at=found.changed_at,
            shared_at=found.shared_at,
            settled_at=found.settled_at,
            reason=found.reason,
            proposed_code=found.proposed_code,
            proposed_change=found.proposed_change,
        )


class MessageOut(Schema):
    author: str = Field(description="The log-in name; annotators are told the display name.")
    body: str
    from_label_studio: bool
    settles: bool
    said_at: datetime

    @classmethod
    def of(cls, message: Message, viewer: Viewer) -> MessageOut:
        return cls(
            author=viewer.name_of(message.author),
            body=message.body,
            from_label_studio=message.from_label_studio,
            settles=message.settles,
            said_at=message.said_at,
        )


class ProposalOut(Schema):
    discussion: int
    item_id: str
    proposed_code: str = Field(description="The code's id; empty if it is about the codebook as a whole.")
    proposed_change: str
    reason: str
    settled_by: str
    settled_at: datetime
    is_pending: bool = Field(description="Whether it was settled since the newest edition.")

    @classmethod
    def of(cls, proposal: Proposal) -> ProposalOut:
        found = proposal.discussion
        return cls(
            discussion=found.pk,
            item_id=found.assigned_item.item.item_id,
            proposed_code=found.proposed_code,
            proposed_change=found.proposed_change,
            reason=found.reason,
            settled_by=found.settled_by.username if found.settled_by else "",
            settled_at=proposal.settled_at,
            is_pending=proposal.is_pending,
        )


class MessageIn(Schema):
    body: str = Field(min_length=1, max_length=services.LONGEST_MESSAGE)


class SettleIn(Schema):
    reason: str = Field(min_length=1, max_length=services.LONGEST_MESSAGE)
    proposed_code: str = Field(default="", max_length=80)
    proposed_change: str = Field(default="", max_length=services.LONGEST_MESSAGE)
