"""Calls about discussions: members read and write what they may see, researchers settle and share."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router, Status

from backend.annotate.batches.selectors import batch_of
from backend.annotate.discussions import services
from backend.annotate.discussions.api_shapes import (
    DiscussionOut,
    MessageIn,
    MessageOut,
    ProposalOut,
    SettleIn,
    Viewer,
)
from backend.annotate.discussions.digest import digest
from backend.annotate.discussions.digest_out import DigestOut, digest_out
from backend.annotate.discussions.models import Discussion, DiscussionState
from backend.annotate.discussions.selectors import discussion_for, proposals_by_edition, visible_discussions
from backend.core.accounts.access import user_of
from backend.core.studies.access import MEMBER, RESEARCHER, role_in, study_of
from backend.core.studies.models import StudyRole
from backend.core.web.addresses import page

router = Router(auth=RESEARCHER)


@router.get("", auth=MEMBER, response=list[DiscussionOut])
def list_discussions(
    request: HttpRequest,
    state: DiscussionState | None = None,
    limit: int = 200,
    offset: int = 0,
) -> list[DiscussionOut]:
    """Researchers get all; annotators their own and those that are shared with them. Latest change first."""
    user, study = user_of(request), study_of(request)
    role = role_in(user, study)
    viewer = Viewer(role == StudyRole.RESEARCHER)
    found = visible_discussions(user, study, role).order_by("-changed_at", "-pk")
    if state:
        found = found.filter(state=state)
    return [DiscussionOut.of(row, viewer) for row in found[page(limit, offset)]]


@router.get("proposals", response=list[ProposalOut])
def list_proposals(request: HttpRequest) -> list[ProposalOut]:
    """What settled discussions ask the codebook to say, newest first."""
    return [
        ProposalOut.of(proposal) for proposal in proposals_by_edition(study_of(request), user_of(request))
    ]


@router.get("digests/{int:batch_id}", response=DigestOut)
def read_digest(request: HttpRequest, batch_id: int, text: bool = False) -> DigestOut:
    """A batch's uncertain examples; posts and replies only when asked for (`text=true`)."""
    return digest_out(digest(batch_of(study_of(request), batch_id), user_of(request)), with_text=text)


@router.get("{int:discussion_id}", auth=MEMBER, response=DiscussionOut)
def read_discussion(request: HttpRequest, discussion_id: int) -> DiscussionOut:
    return _discussion_out(request, _discussion_of(request, discussion_id))


@router.get("{int:discussion_id}/messages", auth=MEMBER, response=list[MessageOut])
def read_messages(request: HttpRequest, discussion_id: int) -> list[MessageOut]:
    viewer = _viewer(request)
    said = _discussion_of(request, discussion_id).messages.select_related("author")
    return [MessageOut.of(message, viewer) for message in said]


@router.post("{int:discussion_id}/messages", auth=MEMBER, response={201: MessageOut})
def reply(request: HttpRequest, discussion_id: int, body: MessageIn) -> Status[MessageOut]:
    """The annotator's message opens the discussion for researchers; a researcher's asks the annotator."""
    discussion = _discussion_of(request, discussion_id)
    said = services.reply(discussion=discussion, author=user_of(request), body=body.body, now=timezone.now())
    return Status(201, MessageOut.of(said, _viewer(request)))


@router.post("{int:discussion_id}/settle", response=DiscussionOut)
def settle(request: HttpRequest, discussion_id: int, body: SettleIn) -> DiscussionOut:
    discussion = _discussion_of(request, discussion_id)
    settled = services.settle(
        discussion=discussion, actor=user_of(request), now=timezone.now(), **body.dict()
    )
    return _discussion_out(request, settled)


@router.post("{int:discussion_id}/reopen", response=DiscussionOut)
def reopen(request: HttpRequest, discussion_id: int) -> DiscussionOut:
    discussion = _discussion_of(request, discussion_id)
    return _discussion_out(
        request, services.reopen(discussion=discussion, actor=user_of(request), now=timezone.now())
    )


@router.put("{int:discussion_id}/share", response=DiscussionOut)
def share(request: HttpRequest, discussion_id: int) -> DiscussionOut:
    """Refused while another annotator still has the item to judge."""
    discussion = _discussion_of(request, discussion_id)
    return _discussion_out(
        request, services.share_with_team(discussion=discussion, actor=user_of(request), now=timezone.now())
    )


@router.delete("{int:discussion_id}/share", response=DiscussionOut)
def unshare(request: HttpRequest, discussion_id: int) -> DiscussionOut:
    discussion = _discussion_of(request, discussion_id)
    return _discussion_out(
        request, services.unshare(discussion=discussion, actor=user_of(request), now=timezone.now())
    )


def _discussion_of(request: HttpRequest, discussion_id: int) -> Discussion:
    return discussion_for(user_of(request), study_of(request), discussion_id)


def _viewer(request: HttpRequest) -> Viewer:
    return Viewer(role_in(user_of(request), study_of(request)) == StudyRole.RESEARCHER)


def _discussion_out(request: HttpRequest, discussion: Discussion) -> DiscussionOut:
    return DiscussionOut.of(discussion, _viewer(request))
