"""What annotators said about items, as far as it takes part in adjudication."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from annotation.answers import Span
from annotation.side_by_side import OneSide
from backend.batches.models import BatchKind
from backend.judgments.models import Judgment, Submission, SubmissionState
from backend.judgments.models import Span as SpanRow
from backend.samples.models import Item
from backend.studies.models import Study
from codebook.schema import Part

# Practice is measured against gold, and a recheck only against the annotator's own first answer
LEFT_OUT = (BatchKind.PRACTICE, BatchKind.RECHECK)


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """One annotator's answer to one item: in the earliest batch, if they met it in several."""

    submission_pk: int
    item_pk: int
    annotator_id: int
    batch_id: int
    is_skip: bool
    side: OneSide


def taking_part(study: Study) -> QuerySet[Submission]:
    return Submission.objects.filter(assigned_item__assignment__batch__study=study).exclude(
        assigned_item__assignment__batch__kind__in=LEFT_OUT
    )


def answers_of_study(study: Study) -> dict[int, list[GivenAnswer]]:
    """By item; three queries however many items there are."""
    return _read(taking_part(study))


def rechecks_of_study(study: Study) -> dict[int, list[GivenAnswer]]:
    """What annotators said when they were asked again."""
    again = Q(assigned_item__assignment__batch__kind=BatchKind.RECHECK)
    return _read(Submission.objects.filter(again, assigned_item__assignment__batch__study=study))


def answers_of_item(item: Item) -> list[GivenAnswer]:
    """In the order in which annotators joined the study, which is their columns' order on every page."""
    return _read(taking_part(item.study).filter(assigned_item__item=item)).get(item.pk, [])


def _read(submissions: QuerySet[Submission]) -> dict[int, list[GivenAnswer]]:
    values: dict[int, dict[str, int]] = defaultdict(dict)
    spans: dict[int, list[Span]] = defaultdict(list)
    judged = Judgment.objects.filter(submission__in=submissions).order_by()
    for pk, code, value in judged.values_list("submission_id", "code", "value"):
        values[pk][code] = value
    marked = SpanRow.objects.filter(submission__in=submissions).order_by("pk")
    for pk, code, part, start, end in marked.values_list("submission_id", "code", "part", "start", "end"):
        spans[pk].append(Span(code, Part(part), start, end))
    found: dict[tuple[int, int], GivenAnswer] = {}
    for pk, item_pk, annotator_id, batch_id, state in _in_order(submissions):
        side = OneSide(values[pk], tuple(spans[pk]))
        is_skip = state == SubmissionState.SKIPPED
        earlier = found.get((item_pk, annotator_id))
        if earlier is None or (earlier.is_skip and not is_skip):
            found[item_pk, annotator_id] = GivenAnswer(pk, item_pk, annotator_id, batch_id, is_skip, side)
    by_item: dict[int, list[GivenAnswer]] = defaultdict(list)
    for answer in sorted(found.values(), key=lambda answer: answer.annotator_id):
        by_item[answer.item_pk].append(answer)
    return by_item


def _in_order(submissions: QuerySet[Submission]) -> Iterable[tuple[int, int, int, int, str]]:
    place = "assigned_item__assignment"
    return submissions.order_by(f"{place}__batch__opened_at", f"{place}__batch", "pk").values_list(
        "pk", "assigned_item__item_id", f"{place}__annotator_id", f"{place}__batch_id", "state"
    )


def sides(answers: Iterable[GivenAnswer]) -> list[OneSide]:
    return [answer.side for answer in answers if not answer.is_skip]


def judgments_hash(answers: Sequence[GivenAnswer]) -> str:
    """Of everything that was said, whoever asks: a change by any annotator changes it."""
    said = [
        (
            answer.annotator_id,
            sorted(answer.side.values.items()),
            sorted((span.code_id, span.part.value, span.start, span.end) for span in answer.side.spans),
        )
        for answer in answers
        if not answer.is_skip
    ]
    return hashlib.sha256(repr(sorted(said)).encode()).hexdigest()
