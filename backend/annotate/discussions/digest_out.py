"""A digest as JSON."""

from __future__ import annotations

from datetime import datetime

from ninja import Schema

from backend.annotate.discussions.digest import Digest, DigestEntry


class SayingOut(Schema):
    author: str
    body: str
    said_at: datetime


class TextOut(Schema):
    part: str
    title: str
    text: str


class DigestEntryOut(Schema):
    """`codes` are the ids of what the annotator found in the item; `texts` is null unless asked for."""

    discussion: int
    item_id: str
    community: str
    annotator: str
    state: str
    comment: str
    codes: list[str]
    texts: list[TextOut] | None
    sayings: list[SayingOut]
    reason: str
    settled_by: str
    proposed_code: str
    proposed_change: str


class DigestOut(Schema):
    batch: int
    name: str
    unsettled: int
    withdrawn: int
    entries: list[DigestEntryOut]


def digest_out(digest: Digest, *, with_text: bool) -> DigestOut:
    return DigestOut(
        batch=digest.batch.pk,
        name=digest.batch.name,
        unsettled=digest.unsettled,
        withdrawn=digest.withdrawn,
        entries=[_entry_out(entry, with_text=with_text) for entry in digest.entries],
    )


def _entry_out(entry: DigestEntry, *, with_text: bool) -> DigestEntryOut:
    texts = [TextOut(part=text.part.value, title=text.title, text=text.words) for text in entry.texts]
    return DigestEntryOut(
        discussion=entry.discussion_id,
        item_id=entry.item_id,
        community=entry.community,
        annotator=entry.annotator,
        state=entry.state.value,
        comment=entry.comment,
        codes=[code.id for code in entry.codes],
        texts=texts if with_text else None,
        sayings=[SayingOut(author=s.author, body=s.body, said_at=s.said_at) for s in entry.sayings],
        reason=entry.reason,
        settled_by=entry.settled_by,
        proposed_code=entry.proposed_code,
        proposed_change=entry.proposed_change,
    )
