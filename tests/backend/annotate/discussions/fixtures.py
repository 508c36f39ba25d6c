"""Lays out work for the tests of discussions: batches, shares, and what annotators handed in, as rows."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from backend.annotate.batches.models import AssignedItem, Assignment, Batch, BatchKind, BatchState
from backend.annotate.discussions.models import Discussion
from backend.annotate.discussions.services import follow_flag
from backend.annotate.judgments.models import (
    AnnotationVersion,
    Change,
    Judgment,
    Span,
    Submission,
    SubmissionState,
)
from backend.core.accounts.models import User
from backend.design.codebooks.services import add_edition
from backend.design.samples.models import Item
from codebook.schema import Part
from codebook.shipped import shipped_path
from tests.cast import NOW, Cast

POST = "I shouted at my son today. How do I make it up to him?"
REPLY = "I did the same last week, and we baked a cake together."


class Bench:
    """A study with a codebook, on which batches are opened and answers handed in."""

    def __init__(self, cast: Cast, codebook: str = "empathy-practices") -> None:
        self.cast = cast
        self.edition = add_edition(
            study=cast.study,
            source=shipped_path(codebook).read_text(),
            file_name="codebook.yaml",
            note="First",
            actor=cast.rosa,
            now=NOW,
        )

    def item(self, name: str, *, title: str = "Sorry", post: str = POST, reply: str | None = REPLY) -> Item:
        return Item.objects.create(
            study=self.cast.study,
            item_id=hashlib.sha256(name.encode()).hexdigest()[:40],
            platform="reddit",
            community="r/parents",
            post_id=name,
            reply_id=None if reply is None else f"{name}-reply",
            title=title,
            post_text=post,
            reply_text=reply,
        )

    def batch(self, name: str = "Batch 1", *, state: BatchState = BatchState.OPEN) -> Batch:
        return Batch.objects.create(
            study=self.cast.study,
            name=name,
            kind=BatchKind.OVERLAP,
            edition=self.edition,
            state=state,
            seed=1,
            opened_by=self.cast.rosa,
            opened_at=NOW,
        )

    def assign(self, batch: Batch, annotator: User, item: Item) -> AssignedItem:
        share, _ = Assignment.objects.get_or_create(
            batch=batch, annotator=annotator, defaults={"assigned_at": NOW}
        )
        return share.assigned_items.create(item=item, position=share.assigned_items.count())

    def hand_in(
        self,
        assigned: AssignedItem,
        *,
        flag: str | None = None,
        judgments: Mapping[str, int] | None = None,
        spans: Sequence[tuple[str, Part, int, int]] = (),
        now: datetime = NOW,
    ) -> Submission:
        """As the derivation does it: the sound answer as rows, then the flag is followed."""
        submission = Submission.objects.create(
            assigned_item=assigned,
            version=_version(assigned),
            state=SubmissionState.SUBMITTED,
            submitted_at=now,
            changed_at=now,
            edits=0,
            lead_seconds=10,
            from_prediction=False,
            is_flagged=flag is not None,
            flag_comment=flag or "",
        )
        for code, value in (judgments or {}).items():
            Judgment.objects.create(submission=submission, code=code, value=value)
        for code, part, start, end in spans:
            Span.objects.create(submission=submission, code=code, part=part, start=start, end=end)
        follow_flag(assigned_item=assigned, is_flagged=flag is not None, comment=flag or "", now=now)
        return submission

    def flagged(
        self, annotator: User, item: Item, batch: Batch, comment: str = "Is this a request?"
    ) -> Discussion:
        assigned = self.assign(batch, annotator, item)
        self.hand_in(assigned, flag=comment)
        return Discussion.objects.get(assigned_item=assigned)


def _version(assigned: AssignedItem) -> AnnotationVersion:
    return AnnotationVersion.objects.create(
        assignment=assigned.assignment,
        project_id=1,
        task_id=assigned.pk,
        annotation_id=assigned.pk,
        account_id=1,
        item_key=assigned.item.item_id,
        change=Change.SUBMITTED,
        body="{}",
        sha256="0" * 64,
        lead_seconds=10,
        from_prediction=False,
        created_there_at=NOW,
        changed_there_at=NOW,
        seen_at=NOW,
    )


def minutes(number: int) -> datetime:
    return NOW + timedelta(minutes=number)
