"""What annotators said about items, as far as it takes part in adjudication."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from annotation.answers import Span
from annotation.compare_answers import OneSide
from backend.annotate.batches.models import BatchKind, BatchState
from backend.annotate.judgments.models import Judgment, Submission, SubmissionState
from backend.annotate.judgments.models import Span as SpanRow
from backend.core.studies.models import Study
from backend.design.samples.models import Item
from codebook.schema import Part

# Practice is measured against gold, and a recheck only against the annotator's own first answer
LEFT_OUT = (BatchKind.PRACTICE, BatchKind.RECHECK)


# Named by number: over the joins of a whole study PostgreSQL plans badly until its tables are analysed
CHUNK = 2000


@dataclass(frozen=True, slots=True)
class Taken:
    """Which submission speaks for an annotator who may have met the item in several batches.

    The one under the newest edition, of several the one in the earliest batch; a skip only if there is no answer.
    """

    submission_pk: int
    item_pk: int
    annotator_id: int
    batch_id: int
    edition_hash: str
    is_skip: bool


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """One annotator's answer to one item."""

    taken: Taken
    side: OneSide

    @property
    def annotator_id(self) -> int:
        return self.taken.annotator_id

    @property
    def is_skip(self) -> bool:
        return self.taken.is_skip


def taking_part(study: Study) -> QuerySet[Submission]:
    """The workspace and a release both listen to these, by `taken_answers`."""
    return _kept_submissions(study).exclude(assigned_item__assignment__batch__kind__in=LEFT_OUT)


def _kept_submissions(study: Study) -> QuerySet[Submission]:
    """A batch that is being discarded is as good as gone."""
    submissions = Submission.objects.filter(assigned_item__assignment__batch__study=study)
    return submissions.exclude(assigned_item__assignment__batch__state=BatchState.DISCARDING)


def answers_of_study(study: Study) -> dict[int, list[GivenAnswer]]:
    """By item; a few queries for every two thousand answers."""
    submissions = taking_part(study)
    return with_content(taken_answers(submissions))


def rechecks_of_study(study: Study) -> dict[int, list[GivenAnswer]]:
    """What annotators said when they were asked again."""
    submissions = _kept_submissions(study).filter(assigned_item__assignment__batch__kind=BatchKind.RECHECK)
    return with_content(taken_answers(submissions))


def answers_of_item(item: Item) -> list[GivenAnswer]:
    """In the order in which annotators joined Attune, which is their columns' order on every page."""
    submissions = taking_part(item.study).filter(assigned_item__item=item)
    return with_content(taken_answers(submissions)).get(item.pk, [])


def taken_answers(submissions: QuerySet[Submission]) -> dict[int, list[Taken]]:
    """By item, in the order of annotators."""
    batch = "assigned_item__assignment__batch"
    rows = submissions.order_by(
        f"-{batch}__edition__number", f"{batch}__opened_at", f"{batch}_id", "pk"
    ).values_list(
        "pk",
        "assigned_item__item_id",
        "assigned_item__assignment__annotator_id",
        f"{batch}_id",
        f"{batch}__edition__hash",
        "state",
    )
    found: dict[tuple[int, int], Taken] = {}
    for pk, item_pk, annotator_id, batch_id, edition, state in rows:
        taken = Taken(pk, item_pk, annotator_id, batch_id, edition, state == SubmissionState.SKIPPED)
        earlier = found.get((item_pk, annotator_id))
        if earlier is None or (earlier.is_skip and not taken.is_skip):
            found[item_pk, annotator_id] = taken
    by_item: dict[int, list[Taken]] = defaultdict(list)
    for taken in sorted(found.values(), key=lambda taken: taken.annotator_id):
        by_item[taken.item_pk].append(taken)
    return by_item


def with_content(taken: Mapping[int, list[Taken]]) -> dict[int, list[GivenAnswer]]:
    """What these say, read from their rows."""
    pks = [one.submission_pk for answers in taken.values() for one in answers]
    values: dict[int, dict[str, int]] = defaultdict(dict)
    spans: dict[int, list[Span]] = defaultdict(list)
    for begin in range(0, len(pks), CHUNK):
        named = pks[begin : begin + CHUNK]
        judged = Judgment.objects.filter(submission__in=named).order_by("pk")
        for pk, code, value in judged.values_list("submission_id", "code", "value"):
            values[pk][code] = value
        marked = SpanRow.objects.filter(submission__in=named).order_by("pk")
        for pk, code, part, start, end in marked.values_list("submission_id", "code", "part", "start", "end"):
            spans[pk].append(Span(code, Part(part), start, end))
    return {
        item_pk: [
            GivenAnswer(one, OneSide(values[one.submission_pk], tuple(spans[one.submission_pk])))
            for one in answers
        ]
        for item_pk, answers in taken.items()
    }


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
