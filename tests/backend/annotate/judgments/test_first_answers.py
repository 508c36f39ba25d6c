"""The first sound answer stays the first, whatever becomes of it later."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from backend.annotate.batches.models import Batch
from backend.annotate.judgments.first_answers import FirstAnswer, first_answers_of_batch
from backend.annotate.judgments.models import Change, Submission
from tests.backend.annotate.judgments.arriving import Workspace
from tests.batch_fixtures import CastAtWork


@pytest.fixture
def batch(work: CastAtWork) -> Batch:
    return work.batch(work.cast.amal, work.cast.bea, items=work.items[:4])


@pytest.fixture
def amal(work: CastAtWork, batch: Batch) -> Workspace:
    return Workspace(work, batch.assignments.get(annotator=work.cast.amal))


@pytest.fixture
def bea(work: CastAtWork, batch: Batch) -> Workspace:
    return Workspace(work, batch.assignments.get(annotator=work.cast.bea))


def found_codes(first: FirstAnswer) -> set[str]:
    return {judgment.code_id for judgment in first.answers.judgments if judgment.value}


def told(batch: Batch) -> list[tuple[str, str, set[str]]]:
    return [
        (first.place.assignment.annotator.username, first.place.item.item_id, found_codes(first))
        for first in first_answers_of_batch(batch)
    ]


def test_a_later_edit_changes_nothing(batch: Batch, amal: Workspace) -> None:
    item = amal.work.items[0]
    amal.receive(amal.arrival(1, amal.work.answers(item, "asking-advice"), minutes=1))
    amal.receive(amal.arrival(1, amal.work.answers(item, "sharing-emotions"), minutes=5))
    assert told(batch) == [("amal", "item-00000", {"asking-advice"})]
    assert Submission.objects.get().judgments.get(value=1).code == "sharing-emotions"


def test_an_answer_that_was_deleted_stays_the_first(batch: Batch, amal: Workspace) -> None:
    item = amal.work.items[0]
    amal.receive(amal.arrival(1, amal.work.answers(item, "asking-advice"), minutes=1))
    amal.receive(amal.arrival(1, None, minutes=2, change=Change.DELETED))
    assert not Submission.objects.exists()
    amal.receive(amal.arrival(2, amal.work.answers(item), minutes=3))
    assert told(batch) == [("amal", "item-00000", {"asking-advice"})]


def test_a_mended_answer_is_the_first_sound_one(batch: Batch, amal: Workspace) -> None:
    amal.receive(amal.arrival(1, None, results=[{"type": "nonsense"}], minutes=1))
    assert told(batch) == []
    amal.receive(amal.arrival(1, amal.work.answers(amal.work.items[0], "asking-advice"), minutes=2))
    assert told(batch) == [("amal", "item-00000", {"asking-advice"})]


def test_an_answer_spoilt_later_stays_the_first(batch: Batch, amal: Workspace) -> None:
    amal.receive(amal.arrival(1, amal.work.answers(amal.work.items[0], "asking-advice"), minutes=1))
    amal.receive(amal.arrival(1, None, results=[{"type": "nonsense"}], minutes=2))
    assert not Submission.objects.exists()
    assert told(batch) == [("amal", "item-00000", {"asking-advice"})]


def test_a_skip_says_nothing(batch: Batch, amal: Workspace) -> None:
    amal.receive(amal.arrival(1, None, results=[], minutes=1, change=Change.SKIPPED))
    assert told(batch) == []
    amal.receive(amal.arrival(1, amal.work.answers(amal.work.items[0]), minutes=2))
    assert told(batch) == [("amal", "item-00000", set())]


def test_what_a_slow_reader_brings_late_still_came_first(batch: Batch, amal: Workspace) -> None:
    item = amal.work.items[0]
    amal.receive(amal.arrival(1, amal.work.answers(item, "sharing-emotions"), minutes=5))
    amal.receive(amal.arrival(1, amal.work.answers(item, "asking-advice"), minutes=1))
    assert told(batch) == [("amal", "item-00000", {"asking-advice"})]


def test_nobody_answers_for_somebody_else(batch: Batch, amal: Workspace, bea: Workspace) -> None:
    answers = amal.work.answers(amal.work.items[0], "asking-advice")
    amal.receive(amal.arrival(1, answers, minutes=1, made_by=amal.work.cast.bea))
    amal.receive(amal.arrival(2, answers, minutes=1, item_key="item-99999"))
    bea.receive(bea.arrival(3, bea.work.answers(bea.work.items[1]), position=1))
    assert told(batch) == [("bea", "item-00001", set())]


def test_a_whole_batch_costs_two_queries(batch: Batch, amal: Workspace, bea: Workspace) -> None:
    for workspace in (amal, bea):
        for position in range(4):
            answers = workspace.work.answers(workspace.work.items[position], "asking-advice", flag="Hm")
            workspace.receive(workspace.arrival(10 + position, answers, position=position))
    with CaptureQueriesContext(connection) as queries:
        found = first_answers_of_batch(batch)
    assert len(queries) == 2
    assert len(found) == 8
    assert all(first.answers.flag for first in found)
