"""Calls about discussions: members read and write what they may see, researchers settle and share."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Router, Schema, Status

from backend.api.authentication import MEMBER, RESEARCHER, study_of
from backend.discussions import services, sharing
from backend.discussions.digest import digest
from backend.discussions.digest_out import DigestOut, digest_out
from backend.discussions.models import Discussion, DiscussionState, Message
from backend.discussions.selectors import batch_of, discussion_for, discussions_for
from backend.studies.access import role_in, user_of
from backend.studies.models import StudyRole

router = Router(auth=RESEARCHER)


class DiscussionOut(Schema):
    id: int
    item_id: str = Field(alias="assigned_item.item.item_id")
    batch: int | None = Field(description="For researchers only.")
    annotator: str = Field(alias="assigned_item.assignment.annotator.username")
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

    @staticmethod
    def resolve_batch(found: Discussion, context: dict[str, HttpRequest]) -> int | None:
        request = context["request"]
        is_researcher = role_in(user_of(request), study_of(request)) == StudyRole.RESEARCHER
        return found.assigned_item.assignment.batch_id if is_researcher else None


class MessageOut(Schema):
    author: str = Field(alias="author.username")
    body: str
    from_label_studio: bool
    settles: bool
    said_at: datetime


class MessageIn(Schema):
    body: str = Field(min_length=1, max_length=services.LONGEST_MESSAGE)


class SettleIn(Schema):
    reason: str = Field(min_length=1, max_length=services.LONGEST_MESSAGE)
    proposed_code: str = Field(default="", max_length=80)
    proposed_change: str = Field(default="", max_length=services.LONGEST_MESSAGE)


@router.get("", auth=MEMBER, response=list[DiscussionOut])
def list_discussions(request: HttpRequest, state: DiscussionState | None = None) -> list[Discussion]:
    """Researchers get all; annotators their own and those that are shared with them. Latest change first."""
    found = discussions_for(user_of(request), study_of(request)).order_by("-changed_at", "-pk")
    return list(found.filter(state=state) if state else found)


@router.get("digests/{int:batch_id}", response=DigestOut)
def read_digest(request: HttpRequest, batch_id: int, text: bool = False) -> DigestOut:
    """A batch's uncertain examples; posts and replies only when asked for (`text=true`)."""
    return digest_out(digest(batch_of(study_of(request), batch_id)), with_text=text)


@router.get("{int:discussion_id}", auth=MEMBER, response=DiscussionOut)
def read_discussion(request: HttpRequest, discussion_id: int) -> Discussion:
    return _asked(request, discussion_id)


@router.get("{int:discussion_id}/messages", auth=MEMBER, response=list[MessageOut])
def read_messages(request: HttpRequest, discussion_id: int) -> list[Message]:
    return list(_asked(request, discussion_id).messages.select_related("author"))


@router.post("{int:discussion_id}/messages", auth=MEMBER, response={201: MessageOut})
def reply(request: HttpRequest, discussion_id: int, body: MessageIn) -> Status[Message]:
    """The annotator's message opens the discussion for researchers; a researcher's asks the annotator."""
    discussion = _asked(request, discussion_id)
    said = services.reply(discussion=discussion, author=user_of(request), body=body.body, now=timezone.now())
    return Status(201, said)


@router.post("{int:discussion_id}/settle", response=DiscussionOut)
def settle(request: HttpRequest, discussion_id: int, body: SettleIn) -> Discussion:
    discussion = _asked(request, discussion_id)
    return services.settle(discussion=discussion, actor=user_of(request), now=timezone.now(), **body.dict())


@router.post("{int:discussion_id}/reopen", response=DiscussionOut)
def reopen(request: HttpRequest, discussion_id: int) -> Discussion:
    discussion = _asked(request, discussion_id)
    return services.reopen(discussion=discussion, actor=user_of(request), now=timezone.now())


@router.put("{int:discussion_id}/share", response=DiscussionOut)
def share(request: HttpRequest, discussion_id: int) -> Discussion:
    """Refused while another annotator still has the item to judge."""
    discussion = _asked(request, discussion_id)
    return sharing.share_with_team(discussion=discussion, actor=user_of(request), now=timezone.now())


@router.delete("{int:discussion_id}/share", response=DiscussionOut)
def unshare(request: HttpRequest, discussion_id: int) -> Discussion:
    discussion = _asked(request, discussion_id)
    return sharing.unshare(discussion=discussion, actor=user_of(request), now=timezone.now())


def _asked(request: HttpRequest, discussion_id: int) -> Discussion:
    return discussion_for(user_of(request), study_of(request), discussion_id)
