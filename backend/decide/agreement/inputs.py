"""What a report is measured on: first answers as the ML backend reads them, without a word of any text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count, Exists, F, Max, OuterRef

from annotation.agreement.files import encode, inputs_hash
from annotation.agreement.inputs import item_answer, judged_codes, judged_item
from annotation.agreement.reports import Retest, RetestJudgments
from annotation.agreement.values import BatchJudgments, ItemAnswer, JudgedItem
from backend.annotate.batches.candidates import RECHECKED_KINDS
from backend.annotate.batches.models import AssignedItem, Batch, BatchKind
from backend.annotate.judgments.first_answers import FirstAnswer, first_answers, first_answers_of_batch
from backend.annotate.judgments.models import AnnotationVersion, Change
from backend.decide.agreement.models import ReportKind
from backend.decide.agreement.selectors import overlapping_items
from backend.design.codebooks.selectors import codebook_of
from backend.design.samples.models import Item
from backend.design.samples.selectors import item_text
from codebook.schema import Codebook


@dataclass(frozen=True, slots=True)
class Inputs:
    """Canonical JSON and its hash. Empty: there is nothing to compare in them."""

    kind: ReportKind
    content: bytes
    hash: str
    is_empty: bool


def answers_mark(batch: Batch) -> str:
    """As long as this is the same, so are the inputs: versions are only ever added. Two queries, nothing decoded."""
    versions = AnnotationVersion.objects.filter(assignment__batch=batch)
    if batch.kind == BatchKind.RECHECK:
        versions = AnnotationVersion.objects.filter(assignment__batch__study=batch.study_id)
    seen = versions.order_by().aggregate(n=Count("pk"), last=Max("pk"))
    places = AssignedItem.objects.filter(assignment__batch=batch).order_by()
    given = places.aggregate(n=Count("pk"), last=Max("pk"), back=Count("taken_back_at"))
    answered = places.filter(submission__isnull=False).count()
    return f"{batch.edition_id} {[*seen.values()]} {[*given.values()]} {answered}"


def can_compare(batch: Batch) -> bool:
    """Whether two answers to one item came in, sound or not; nothing is decoded."""
    submitted = AnnotationVersion.objects.filter(
        change=Change.SUBMITTED, made_by=F("assignment__annotator")
    ).order_by()
    own = submitted.filter(assignment__batch=batch)
    if batch.kind == BatchKind.RECHECK:
        before = submitted.filter(
            assignment__batch__study=batch.study_id,
            assignment__batch__kind__in=RECHECKED_KINDS,
            made_by=OuterRef("made_by"),
            item_key=OuterRef("item_key"),
        )
        return own.filter(Exists(before)).exists()
    if batch.kind == BatchKind.ADAPTIVE:
        own = own.filter(item_key__in=overlapping_items(batch).values("item_id"))
    people = own.values("item_key").annotate(n=Count("assignment", distinct=True))
    return people.filter(n__gt=1).exists()


def inputs_of(batch: Batch) -> Inputs:
    """The answers of a batch as they are now."""
    if batch.kind == BatchKind.RECHECK:
        retests = retest_judgments(batch)
        return _inputs(ReportKind.RETEST, retests, is_empty=not retests.retests)
    judgments = batch_judgments(batch)
    answered = Counter(answer.item_id for answer in judgments.answers)
    return _inputs(ReportKind.AGREEMENT, judgments, is_empty=max(answered.values(), default=0) < 2)


def _inputs(kind: ReportKind, judgments: BatchJudgments | RetestJudgments, *, is_empty: bool) -> Inputs:
    return Inputs(kind, encode(judgments), inputs_hash(judgments), is_empty)


def batch_judgments(batch: Batch) -> BatchJudgments:
    """On the items that two annotators were given, also where one has not answered: a gap is told, not hidden."""
    codebook = codebook_of(batch.edition)
    given = {item.pk: item for item in overlapping_items(batch)}
    firsts = [
        first
        for first in first_answers_of_batch(batch)
        if first.place.item_id in given and not first.place.is_extra
    ]
    raters = batch.assignments.order_by("annotator__username")
    return BatchJudgments(
        codes=judged_codes(codebook),
        items=_judged_items(given.values()),
        raters=tuple(raters.values_list("annotator__username", flat=True)),
        answers=tuple(_answer(codebook, first) for first in firsts),
    )


def retest_judgments(batch: Batch) -> RetestJudgments:
    """Each annotator's answers in a recheck beside their own first ones to the same items."""
    codebook = codebook_of(batch.edition)
    again = first_answers_of_batch(batch)
    before = {_place(first): first for first in earlier_answers(batch, codebook, again)}
    pairs = [(before[_place(first)], first) for first in again if _place(first) in before]
    retests = (Retest(_answer(codebook, first), _answer(codebook, second)) for first, second in pairs)
    items = {second.place.item.item_id: second.place.item for _, second in pairs}
    return RetestJudgments(
        codes=judged_codes(codebook),
        items=_judged_items(items.values()),
        retests=tuple(retests),
    )


def earlier_answers(batch: Batch, codebook: Codebook, again: Sequence[FirstAnswer]) -> list[FirstAnswer]:
    """A recheck repeats what was judged under its own edition, so one codebook reads both."""
    places = AssignedItem.objects.filter(
        assignment__batch__study=batch.study_id,
        assignment__batch__kind__in=RECHECKED_KINDS,
        assignment__batch__edition=batch.edition_id,
        assignment__annotator__in={first.place.assignment.annotator_id for first in again},
        item__in=AssignedItem.objects.filter(assignment__batch=batch).values("item"),
    )
    newest_last = places.select_related("item", "assignment__annotator").order_by("assignment", "position")
    return first_answers(newest_last, codebook)


def _place(first: FirstAnswer) -> tuple[int, int]:
    return first.place.assignment.annotator_id, first.place.item_id


def _answer(codebook: Codebook, first: FirstAnswer) -> ItemAnswer:
    text = item_text(first.place.item)
    return item_answer(codebook, text, first.answers, rater=first.place.assignment.annotator.username)


def _judged_items(items: Iterable[Item]) -> tuple[JudgedItem, ...]:
    """Communities of a Stack Exchange count their posts each for itself."""
    return tuple(
        judged_item(item_text(item), cluster=f"{item.platform}:{item.community}:{item.post_id}")
        for item in items
    )
