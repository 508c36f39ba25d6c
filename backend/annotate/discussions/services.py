"""What changes a discussion: flags that come and go, replies, settling. Each leaves a line in the history."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from backend.annotate.batches.models import AssignedItem
from backend.annotate.discussions.errors import (
    AlreadySettled,
    NoChangeProposed,
    NoReason,
    NoSuchCode,
    NotForYou,
    NothingSaid,
    NotSettled,
    ResearchersOnly,
    StillBlind,
    TooLong,
)
from backend.annotate.discussions.models import Discussion, DiscussionState, Message
from backend.annotate.discussions.selectors import (
    annotator_of,
    codes_of_study,
    discussions_for,
    still_blind,
    study_of_discussion,
)
from backend.core.accounts.models import User
from backend.core.studies.access import role_in
from backend.core.studies.models import StudyRole
from backend.core.studies.services import record_event
from backend.core.web.formats import short_hash

LONGEST_MESSAGE = 10_000


@transaction.atomic
def follow_flag(assigned_item: AssignedItem, is_flagged: bool, comment: str, now: datetime) -> None:
    """Brings the discussion in line with the flag as it stands. Being told the same again changes nothing."""
    known = Discussion.objects.filter(assigned_item=assigned_item)
    if not is_flagged and not known.exists():
        return
    # Two workers may meet the first flag together: the assigned item's row makes the second wait
    AssignedItem.objects.select_for_update().get(pk=assigned_item.pk)
    discussion = known.select_for_update(of=("self",)).first()
    comment = comment.strip()
    if discussion is None:
        _open(assigned_item, comment, now)
    elif is_flagged:
        _follow_standing_flag(discussion, comment, now)
    elif discussion.is_flagged:
        _withdraw(discussion, now)


def _open(assigned_item: AssignedItem, comment: str, now: datetime) -> None:
    discussion = Discussion.objects.create(
        assigned_item=assigned_item, is_flagged=True, comment=comment, opened_at=now, changed_at=now
    )
    _say_from_label_studio(discussion, comment, now)
    record(discussion, annotator_of(discussion), "Flagged item", now)


def _follow_standing_flag(discussion: Discussion, comment: str, now: datetime) -> None:
    """A comment that was emptied says nothing new, so the discussion stays in its state."""
    is_new, says_more = not discussion.is_flagged, comment not in ("", discussion.comment)
    if not is_new and comment == discussion.comment:
        return
    if says_more:
        _say_from_label_studio(discussion, comment, now)
    discussion.is_flagged, discussion.comment = True, comment
    if is_new or says_more:
        discussion.state = DiscussionState.OPEN
        what = "Flagged again: item" if is_new else "Said more about the flag on item"
        record(discussion, annotator_of(discussion), what, now)
    save(discussion, now)


def _withdraw(discussion: Discussion, now: datetime) -> None:
    discussion.is_flagged = False
    if discussion.state != DiscussionState.SETTLED:
        discussion.state = DiscussionState.WITHDRAWN
    save(discussion, now)
    record(discussion, annotator_of(discussion), "Took back the flag on item", now)


def _say_from_label_studio(discussion: Discussion, comment: str, now: datetime) -> None:
    if comment:
        author = annotator_of(discussion)
        discussion.messages.create(author=author, body=comment, from_label_studio=True, said_at=now)


@transaction.atomic
def reply(*, discussion: Discussion, author: User, body: str, now: datetime) -> Message:
    """The annotator's word asks for an answer, a researcher's asks the annotator. Once all is settled, whatever
    anybody else says is a note: only whose flag it is can doubt the decision."""
    locked = locked_discussion(discussion)
    study = study_of_discussion(locked)
    if not discussions_for(author, study).filter(pk=locked.pk).exists():
        raise NotForYou
    said = _check_length(body)
    if not said:
        raise NothingSaid
    message = locked.messages.create(author=author, body=said, from_label_studio=False, said_at=now)
    if author == annotator_of(locked):
        locked.state = DiscussionState.OPEN
    elif locked.state != DiscussionState.SETTLED:
        answers = role_in(author, study) == StudyRole.RESEARCHER
        locked.state = DiscussionState.WAITING if answers else DiscussionState.OPEN
    save(locked, now)
    record(locked, author, "Replied in the discussion of item", now)
    return message


@transaction.atomic
def settle(
    *,
    discussion: Discussion,
    actor: User,
    reason: str,
    proposed_code: str = "",
    proposed_change: str = "",
    now: datetime,
) -> Discussion:
    """The reason joins the thread, where it stays if the discussion is re-opened."""
    locked = locked_for_researcher(discussion, actor)
    if locked.state == DiscussionState.SETTLED:
        raise AlreadySettled(str(locked.settled_by))
    reason, proposed_change = _check_length(reason), _check_length(proposed_change)
    if not reason:
        raise NoReason
    _check_proposal(locked, proposed_code, proposed_change)
    locked.messages.create(author=actor, body=reason, from_label_studio=False, settles=True, said_at=now)
    locked.state, locked.reason = DiscussionState.SETTLED, reason
    locked.settled_at, locked.settled_by = now, actor
    locked.proposed_code, locked.proposed_change = proposed_code, proposed_change
    save(locked, now)
    record(locked, actor, "Settled the discussion of item", now)
    return locked


def _check_proposal(discussion: Discussion, code: str, change: str) -> None:
    if code and not change:
        raise NoChangeProposed
    if code and code not in {known.id for known in codes_of_study(study_of_discussion(discussion))}:
        raise NoSuchCode(code)


@transaction.atomic
def reopen(*, discussion: Discussion, actor: User, now: datetime) -> Discussion:
    """Undoes settling. What was proposed stays at hand for the next time it is settled."""
    locked = locked_for_researcher(discussion, actor)
    if locked.state != DiscussionState.SETTLED:
        raise NotSettled
    locked.state = DiscussionState.OPEN
    save(locked, now)
    record(locked, actor, "Re-opened the discussion of item", now)
    return locked


def _check_length(text: str) -> str:
    # PostgreSQL stores no NUL
    stripped = text.replace("\x00", "").strip()
    if len(stripped) > LONGEST_MESSAGE:
        raise TooLong(LONGEST_MESSAGE)
    return stripped


# How a discussion is changed: its row is locked first, then saved, and the study's history gets a line.
def locked_discussion(discussion: Discussion) -> Discussion:
    rows = Discussion.objects.select_for_update(of=("self",)).select_related(
        "assigned_item__item",
        "assigned_item__assignment__batch__study",
        "assigned_item__assignment__annotator",
    )
    return rows.get(pk=discussion.pk)


def locked_for_researcher(discussion: Discussion, actor: User) -> Discussion:
    locked = locked_discussion(discussion)
    if role_in(actor, study_of_discussion(locked)) != StudyRole.RESEARCHER:
        raise ResearchersOnly
    return locked


def save(discussion: Discussion, now: datetime) -> None:
    discussion.changed_at = now
    discussion.save()


def record(discussion: Discussion, actor: User, what: str, now: datetime) -> None:
    study, item = study_of_discussion(discussion), discussion.assigned_item.item
    record_event(study=study, actor=actor, summary=f"{what} {short_hash(item.item_id)}", now=now)


# Opens a discussion to all annotators of the study, and closes it again.
@transaction.atomic
def share_with_team(*, discussion: Discussion, actor: User, now: datetime) -> Discussion:
    """Lets every annotator of the study read and reply, once nobody's blindness can suffer."""
    locked = locked_for_researcher(discussion, actor)
    if locked.shared_at is None:
        if waiting := still_blind(locked):
            raise StillBlind([str(person) for person in waiting])
        locked.shared_at = now
        save(locked, now)
        record(locked, actor, "Shared with all annotators: the discussion of item", now)
    return locked


@transaction.atomic
def unshare(*, discussion: Discussion, actor: User, now: datetime) -> Discussion:
    locked = locked_for_researcher(discussion, actor)
    if locked.shared_at is not None:
        locked.shared_at = None
        save(locked, now)
        record(locked, actor, "No longer shares the discussion of item", now)
    return locked
