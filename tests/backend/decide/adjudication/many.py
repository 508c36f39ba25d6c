"""Thousands of items judged by three annotators, written as rows: the way of a year's work.

`make soak` takes the five thousand of a year, `make test` a quarter of them in as small a part of the time.
"""

from __future__ import annotations

import pytest
from django.db import connection

from annotation.answers import Answers, shown_codes
from annotation.answers import Judgment as AnswerJudgment
from annotation.answers import Span as AnswerSpan
from annotation.stored_answers import stored_answers
from backend.annotate.batches.models import AssignedItem, Assignment
from backend.annotate.judgments.derivation import insert_rows
from backend.annotate.judgments.models import (
    AnnotationVersion,
    Change,
    Judgment,
    Span,
    Submission,
    SubmissionState,
)
from backend.core.accounts.models import User
from backend.decide.adjudication.models import Decision, DecisionRound, Way
from backend.decide.adjudication.rounds import differences
from backend.design.samples.models import Item
from backend.design.samples.selectors import item_text
from codebook.schema import Part
from tests.backend.decide.adjudication.fixtures import EMOTIONS
from tests.batch_fixtures import CastAtWork
from tests.cast import NOW

TEXT = "I feel lost at work today, and nobody asks me how I am. " * 12

A_YEARS_ITEMS = 5000
# The fewest that a job has to count when all change at once are 1,001
A_YEAR = pytest.mark.parametrize(
    "n", [A_YEARS_ITEMS // 4, pytest.param(A_YEARS_ITEMS, marks=pytest.mark.soak)]
)


def seconds_for(n: int, of_a_year: float) -> float:
    """What so many items may take; a page takes a tenth of a second without any."""
    return 0.1 + of_a_year * n / A_YEARS_ITEMS


def hand_in_thousands(work: CastAtWork, n: int, *, name: str = "Many", analyze: bool = True) -> list[Item]:
    """Every fourth item is disputed on a code, every fourth other on its words."""
    items = Item.objects.bulk_create(
        Item(
            study=work.study,
            item_id=f"{name.lower()}-{number:05d}",
            platform="reddit",
            community="NineToFive",
            post_id=f"{name}-m{number}",
            reply_id=f"{name}-n{number}",
            title=f"Lost {number}",
            post_text=f"{TEXT}{number}",
            reply_text=TEXT,
        )
        for number in range(n)
    )
    cast = work.cast
    batch = work.batch(cast.amal, cast.bea, cast.chen, items=items, name=name)
    for rank, share in enumerate(Assignment.objects.filter(batch=batch)):
        _hand_in(work, share, items, rank)
    if analyze:
        _count_rows()
    return items


def _count_rows() -> None:
    """PostgreSQL does this by itself within a minute of such growth; here everything happens in one transaction."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def decide_thousands_twice(work: CastAtWork, items: list[Item]) -> None:
    """Rosa and Ravi differ on the words of all items, and on a code of every tenth."""
    text = item_text(items[0])
    codes = [code.id for _, code in shown_codes(work.codebook, text)]
    judged = tuple(AnswerJudgment(code, int(code == EMOTIONS)) for code in codes)
    first = Answers(judged, (AnswerSpan(EMOTIONS, Part.POST, 0, 11),), None)
    other_words = Answers(judged, (AnswerSpan(EMOTIONS, Part.POST, 0, 16),), None)
    nothing = Answers(tuple(AnswerJudgment(code, 0) for code in codes), (), None)
    unlike = {
        is_tenth: (stored_answers(said), differences(work.codebook, text, first, said))
        for is_tenth, said in ((True, nothing), (False, other_words))
    }
    rows = []
    for number, item in enumerate(items):
        answers, found = unlike[number % 10 == 0]
        rows.append(_decision(work, item, DecisionRound.FIRST, work.cast.rosa, stored_answers(first), None))
        rows.append(_decision(work, item, DecisionRound.SECOND, work.cast.ravi, answers, found))
    Decision.objects.bulk_create(rows, batch_size=1000)
    _count_rows()


def _decision(
    work: CastAtWork, item: Item, decision_round: DecisionRound, author: User, answers: object, found: object
) -> Decision:
    return Decision(
        item=item,
        edition=work.edition,
        decision_round=decision_round,
        number=1,
        way=Way.WRITTEN,
        answers=answers,
        judgments_hash="0" * 64,
        author=author,
        made_at=NOW,
        is_chosen=True,
        differences=found,
    )


def _hand_in(work: CastAtWork, share: Assignment, items: list[Item], rank: int) -> None:
    places = list(AssignedItem.objects.filter(assignment=share).order_by("position"))
    versions = AnnotationVersion.objects.bulk_create(_version(share, place, items) for place in places)
    rows = Submission.objects.bulk_create(
        Submission(
            assigned_item=place,
            version=version,
            state=SubmissionState.SUBMITTED,
            submitted_at=NOW,
            changed_at=NOW,
            edits=0,
            lead_seconds=10,
            from_prediction=False,
            is_flagged=False,
        )
        for place, version in zip(places, versions, strict=True)
    )
    codes = [code.id for _, code in shown_codes(work.codebook, item_text(items[0]))]
    said = [(row.pk, number, _finds(number, rank)) for number, row in enumerate(rows)]
    insert_rows(
        Judgment,
        ("submission_id", "code", "value"),
        ((pk, code, int(finds and code == EMOTIONS)) for pk, _, finds in said for code in codes),
    )
    insert_rows(
        Span,
        ("submission_id", "code", "part", "start", "end"),
        ((pk, EMOTIONS, Part.POST.value, *_words(number, rank)) for pk, number, finds in said if finds),
    )


def _finds(number: int, rank: int) -> bool:
    return not (number % 4 == 0 and rank == 2)


def _words(number: int, rank: int) -> tuple[int, int]:
    return (rank * 20, rank * 20 + 6) if number % 4 == 1 else (0, 11)


def _version(share: Assignment, place: AssignedItem, items: list[Item]) -> AnnotationVersion:
    return AnnotationVersion(
        assignment=share,
        project_id=1,
        task_id=place.pk,
        annotation_id=place.pk,
        account_id=1,
        item_key=items[place.position].item_id,
        change=Change.SUBMITTED,
        body="{}",
        sha256="0" * 64,
        lead_seconds=10,
        from_prediction=False,
        created_there_at=NOW,
        changed_there_at=NOW,
        seen_at=NOW,
    )
