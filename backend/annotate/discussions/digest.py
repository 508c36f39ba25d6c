"""The uncertain examples of a batch with what was said about them, as a team meeting goes through them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch

from backend.annotate.batches.blindness import hidden_items
from backend.annotate.batches.models import Batch
from backend.annotate.discussions.answers import MarkedText, marked_texts, present_codes
from backend.annotate.discussions.models import Discussion, DiscussionState, Message
from backend.annotate.judgments.models import Submission
from backend.core.accounts.models import User
from backend.design.codebooks.selectors import codebook_of, latest_edition
from codebook.schema import Code, Codebook

KEPT_AROUND_MARKS = 240


@dataclass(frozen=True, slots=True)
class Saying:
    author: str
    body: str
    said_at: datetime


@dataclass(frozen=True, slots=True)
class DigestEntry:
    """One flag: what was unclear to whom, what was said, and how it ended. Names are display names."""

    discussion_id: int
    item_id: str
    community: str
    annotator: str
    state: DiscussionState
    comment: str
    codes: tuple[Code, ...]
    texts: tuple[MarkedText, ...]
    sayings: tuple[Saying, ...]
    reason: str
    settled_by: str
    proposed_code: str
    proposed_change: str

    @property
    def excerpts(self) -> tuple[MarkedText, ...]:
        return tuple(text.abridged(KEPT_AROUND_MARKS) for text in self.texts)


@dataclass(frozen=True, slots=True)
class DigestGroup:
    """`entries` are told in full here; `elsewhere` under an earlier code. Without a code: nothing was ticked."""

    code: Code | None
    entries: tuple[DigestEntry, ...]
    elsewhere: tuple[DigestEntry, ...]


@dataclass(frozen=True, slots=True)
class Digest:
    batch: Batch
    entries: tuple[DigestEntry, ...]
    groups: tuple[DigestGroup, ...]
    withdrawn: int

    @property
    def unsettled(self) -> int:
        return sum(entry.state != DiscussionState.SETTLED for entry in self.entries)


def digest(batch: Batch, viewer: User | None = None) -> Digest:
    """Flags that were taken back are only counted; those on items that the viewer still has to judge are left out."""
    codebook = codebook_of(batch.edition)
    found = Discussion.objects.filter(assigned_item__assignment__batch=batch).exclude(
        assigned_item__item__in=hidden_items(viewer, batch.study)
    )
    standing = (
        found.exclude(state=DiscussionState.WITHDRAWN)
        .select_related("assigned_item__item", "assigned_item__assignment__annotator", "settled_by")
        .prefetch_related(Prefetch("messages", Message.objects.select_related("author")))
        .order_by("assigned_item__item__item_id", "opened_at", "pk")
    )
    submissions = _submissions(batch)
    names = _code_names(batch)
    entries = tuple(
        _entry(discussion, submissions.get(discussion.assigned_item_id), codebook, names)
        for discussion in standing
    )
    withdrawn = found.filter(state=DiscussionState.WITHDRAWN).count()
    return Digest(batch, entries, _groups(codebook, entries), withdrawn)


def _submissions(batch: Batch) -> dict[int, Submission]:
    rows = Submission.objects.filter(
        assigned_item__assignment__batch=batch, assigned_item__discussion__isnull=False
    ).prefetch_related("judgments", "spans")
    return {row.assigned_item_id: row for row in rows}


def _code_names(batch: Batch) -> dict[str, str]:
    """A proposal may be about a code that only a later edition has."""
    editions = (latest_edition(batch.study), batch.edition)
    books = [codebook_of(edition) for edition in editions if edition]
    return {code.id: code.name for book in books for _, code in book.coded_questions()}


def _entry(
    discussion: Discussion, submission: Submission | None, codebook: Codebook, names: dict[str, str]
) -> DigestEntry:
    item = discussion.assigned_item.item
    is_settled = discussion.state == DiscussionState.SETTLED
    return DigestEntry(
        discussion_id=discussion.pk,
        item_id=item.item_id,
        community=item.community,
        annotator=str(discussion.assigned_item.assignment.annotator),
        state=DiscussionState(discussion.state),
        comment=discussion.comment,
        codes=present_codes(submission, codebook),
        texts=marked_texts(item, submission, codebook),
        sayings=tuple(
            Saying(str(message.author), message.body, message.said_at)
            for message in discussion.messages.all()
            if not _is_told_otherwise(message, discussion)
        ),
        reason=discussion.reason if is_settled else "",
        settled_by=str(discussion.settled_by) if is_settled else "",
        proposed_code=names.get(discussion.proposed_code, discussion.proposed_code) if is_settled else "",
        proposed_change=discussion.proposed_change if is_settled else "",
    )


def _is_told_otherwise(message: Message, discussion: Discussion) -> bool:
    """The comment as it stands and the reason have places of their own."""
    is_comment = message.from_label_studio and message.body == discussion.comment
    return is_comment or (message.settles and message.body == discussion.reason)


def _groups(codebook: Codebook, entries: tuple[DigestEntry, ...]) -> tuple[DigestGroup, ...]:
    groups = [
        DigestGroup(
            code=code,
            entries=tuple(entry for entry in entries if entry.codes[:1] == (code,)),
            elsewhere=tuple(entry for entry in entries if code in entry.codes[1:]),
        )
        for _, code in codebook.coded_questions()
    ]
    groups.append(DigestGroup(None, tuple(entry for entry in entries if not entry.codes), ()))
    return tuple(group for group in groups if group.entries or group.elsewhere)
