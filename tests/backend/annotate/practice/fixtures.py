"""Items with gold, annotators who practise on them, and what they submitted."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import timedelta

from annotation.answers import Answers, Judgment, Span, canonical_answers
from annotation.label_studio.encoding import encode_answers
from backend.annotate.batches.models import AssignedItem, Assignment, Batch, BatchKind
from backend.annotate.judgments.models import AnnotationVersion, Change, Submission, SubmissionState
from backend.annotate.judgments.models import Judgment as JudgmentRow
from backend.annotate.judgments.models import Span as SpanRow
from backend.annotate.practice.entries import CodeEntry, GoldEntry, read_entry
from backend.annotate.practice.models import GoldAnswer
from backend.annotate.practice.services import write_gold
from backend.core.accounts.models import User
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import codebook_of
from backend.design.codebooks.services import add_edition
from backend.design.samples.models import Item
from backend.design.samples.selectors import item_text
from codebook.schema import Codebook
from codebook.shipped import load_shipped, shipped_path
from tests.backend.annotate.practice.reading import gold_of
from tests.cast import NOW, Cast

POST = "I stood in the hall and cried. What should I do? 😀 I am 42."
REPLY = "I know that hall. You'll be fine."
GOLD = GoldEntry(
    {
        "asking-advice": CodeEntry(ticked=True, quotes=("What should I do?",), why="A question to readers."),
        "sharing-emotions": CodeEntry(ticked=True, quotes=("cried",), why="A bodily sign."),
        "sharing-personal-information": CodeEntry(ticked=True, quotes=("I am 42",)),
        "offering-reassurance": CodeEntry(ticked=True, quotes=("You'll be fine",), why="It calms."),
        "emotional-resonance": CodeEntry(why="No feeling of the replier’s own."),
    },
    remark="Read the last sentence too.",
)
PRACTICES = load_shipped("empathy-practices")


@dataclass(frozen=True)
class Practice:
    """A practice batch of two items with gold and one without a reply, given to Amal and Bea."""

    cast: Cast
    edition: Edition
    items: tuple[Item, ...]
    batch: Batch
    amal: Assignment
    bea: Assignment

    @property
    def codebook(self) -> Codebook:
        return codebook_of(self.edition)

    def place(self, assignment: Assignment, number: int) -> AssignedItem:
        return assignment.assigned_items.get(item=self.items[number])

    def gold(self, number: int) -> Answers:
        found = gold_of(self.items[number], self.edition)
        assert found is not None
        return found

    def submit(self, assignment: Assignment, number: int, answers: Answers, *, edits: int = 0) -> Submission:
        """Stores the rows that a derivation would make of these answers; a later item is submitted later."""
        submission = submission_of(self.place(assignment, number), number=number, edits=edits)
        for judgment in answers.judgments:
            JudgmentRow.objects.create(submission=submission, code=judgment.code_id, value=judgment.value)
        for span in answers.spans:
            SpanRow.objects.create(
                submission=submission, code=span.code_id, part=span.part, start=span.start, end=span.end
            )
        return submission


def add_codebook(cast: Cast, name: str = "empathy-practices") -> Edition:
    source = shipped_path(name).read_text()
    return add_edition(
        study=cast.study, source=source, file_name="c.yaml", note="First", actor=cast.rosa, now=NOW
    )


def add_item(
    cast: Cast, item_id: str = "item-1", *, title: str = "Hall", post: str = POST, reply: str | None = REPLY
) -> Item:
    return Item.objects.create(
        study=cast.study,
        item_id=item_id,
        platform="reddit",
        community="lane",
        post_id=item_id,
        reply_id=None if reply is None else f"r-{item_id}",
        title=title,
        post_text=post,
        reply_text=reply,
    )


def add_gold(cast: Cast, item: Item, edition: Edition, entry: GoldEntry = GOLD) -> GoldAnswer:
    reading = read_entry(codebook_of(edition), item_text(item), entry)
    assert reading.problems == ()
    return write_gold(
        item=item,
        edition=edition,
        answers=reading.answers,
        reasons=reading.reasons,
        actor=cast.rosa,
        now=NOW,
    )


def set_up_practice(cast: Cast) -> Practice:
    edition = add_codebook(cast)
    items = (
        add_item(cast, "item-1"),
        add_item(cast, "item-2", title="Kitchen"),
        add_item(cast, "item-3", title="Alone", reply=None),
    )
    only_post = GoldEntry({"asking-advice": GOLD.codes["asking-advice"]})
    for item in items:
        add_gold(cast, item, edition, GOLD if item.reply_text else only_post)
    batch = Batch.objects.create(
        study=cast.study,
        name="Practice 1",
        kind=BatchKind.PRACTICE,
        edition=edition,
        seed=1,
        opened_by=cast.rosa,
        opened_at=NOW,
    )
    return Practice(
        cast, edition, items, batch, *(_share(batch, user, items) for user in (cast.amal, cast.bea))
    )


def _share(batch: Batch, annotator: User, items: tuple[Item, ...]) -> Assignment:
    assignment = Assignment.objects.create(batch=batch, annotator=annotator, assigned_at=NOW)
    for position, item in enumerate(items):
        AssignedItem.objects.create(assignment=assignment, item=item, position=position)
    return assignment


def version_of(place: AssignedItem, *, number: int = 0) -> AnnotationVersion:
    return AnnotationVersion.objects.create(
        assignment=place.assignment,
        project_id=1,
        task_id=place.pk,
        annotation_id=place.pk,
        account_id=place.assignment.annotator_id,
        made_by=place.assignment.annotator,
        item_key=place.item.item_id,
        change=Change.SUBMITTED,
        body="{}",
        sha256=f"{place.pk}-{number}",
        from_prediction=False,
        created_there_at=NOW,
        changed_there_at=NOW,
        seen_at=NOW,
    )


def earlier_version(
    place: AssignedItem, answers: Answers, *, minutes: int = 1, annotation: int = 0
) -> AnnotationVersion:
    """What the annotator submitted before what stands now, so many minutes earlier."""
    codebook = codebook_of(place.assignment.batch.edition)
    body = json.dumps({"result": encode_answers(codebook, item_text(place.item), answers)})
    at = NOW - timedelta(minutes=minutes)
    return AnnotationVersion.objects.create(
        assignment=place.assignment,
        project_id=1,
        task_id=place.pk,
        annotation_id=annotation or place.pk,
        account_id=place.assignment.annotator_id,
        made_by=place.assignment.annotator,
        item_key=place.item.item_id,
        change=Change.SUBMITTED,
        body=body,
        sha256=f"{place.pk}-{minutes}-earlier",
        from_prediction=False,
        created_there_at=at,
        changed_there_at=at,
        seen_at=at,
    )


def submission_of(
    place: AssignedItem,
    *,
    number: int = 0,
    state: SubmissionState = SubmissionState.SUBMITTED,
    edits: int = 0,
) -> Submission:
    return Submission.objects.create(
        assigned_item=place,
        version=version_of(place, number=number),
        state=state,
        submitted_at=NOW,
        changed_at=NOW + timedelta(minutes=number),
        edits=edits,
        from_prediction=False,
        is_flagged=False,
    )


def with_value(answers: Answers, code_id: str, value: int, *spans: Span) -> Answers:
    """The same answers, but for one code."""
    judgments = tuple(
        Judgment(code_id, value) if judgment.code_id == code_id else judgment
        for judgment in answers.judgments
    )
    others = tuple(span for span in answers.spans if span.code_id != code_id)
    return replace(answers, judgments=judgments, spans=others + spans)


def in_order(codebook: Codebook, item: Item, answers: Answers) -> Answers:
    values = {judgment.code_id: judgment.value for judgment in answers.judgments}
    return canonical_answers(codebook, item_text(item), values, answers.spans, None)
