"""Somebody else is asked where the first answers leave an item open, and nowhere else."""

from __future__ import annotations

import pytest
from django.utils import timezone

from annotation.adaptive_overlap import Standing
from backend.annotate.adaptive_overlap.selectors import overlap_state
from backend.annotate.adaptive_overlap.services import ASK_AGAIN, ask_again, ask_again_if_adaptive
from backend.annotate.batches import errors
from backend.annotate.batches.planning import plan_batch
from backend.annotate.batches.queue import PREPARE_BATCH
from backend.annotate.batches.services import pause_batch, reassign_items, withdraw_annotator
from backend.annotate.discussions.models import Discussion
from backend.annotate.discussions.services import follow_flag
from backend.annotate.sync.completion import tell_that_answers_arrived
from backend.annotate.sync.push import bring_in_line
from backend.core.jobs.models import Job
from backend.core.jobs.runner import run_job
from tests.backend.annotate.adaptive_overlap.fixtures import Adaptive, adaptive, person, wish
from tests.backend.annotate.batches.fixtures import given, opened
from tests.cast import NOW, Cast
from tests.label_studio_fake import FakeLabelStudio


@pytest.fixture
def batch(ready: Cast) -> Adaptive:
    return adaptive(ready)


def test_each_item_starts_with_two_and_everybody_meets_everybody(batch: Adaptive) -> None:
    pairs = [frozenset(batch.who(key)) for key in batch.keys]
    assert {len(pair) for pair in pairs} == {2}
    assert sorted(len(share) for share in given(batch.batch).values()) == [6, 7, 7]
    assert len(set(pairs)) == 3


def test_a_third_is_asked_where_two_differ_once(batch: Adaptive) -> None:
    before = {item: batch.who(item) for item in batch.split}
    batch.answer_first(split=batch.split)
    assert ask_again(batch.batch, now=NOW) == 2
    assert {*batch.extra()} == {*batch.split}
    assert all(who not in before[item] for item, who in batch.extra().items())
    assert ask_again(batch.batch, now=NOW) == 0
    assert Job.objects.filter(kind=PREPARE_BATCH).count() == 2


def test_nobody_is_asked_before_the_first_have_answered(batch: Adaptive) -> None:
    batch.answer_first(split=batch.split, but=[batch.split[0]])
    first, _ = batch.places(batch.split[0])
    batch.answer(first, sees=True)
    ask_again(batch.batch, now=NOW)
    assert {*batch.extra()} == {batch.split[1]}


def test_the_third_settles_it_or_the_item_stays_open_at_the_maximum(batch: Adaptive) -> None:
    batch.answer_first(split=batch.split)
    ask_again(batch.batch, now=NOW)
    for item, sees in zip(batch.split, (False, True), strict=True):
        batch.answer(next(place for place in batch.places(item) if place.is_extra), sees=sees)
    assert ask_again(batch.batch, now=NOW) == 0
    state = overlap_state(batch.batch)
    assert state
    assert (state.standing[batch.split[0]], state.standing[batch.split[1]]) == (
        Standing.SURE,
        Standing.AT_MOST,
    )
    assert (state.n_seats, len(state.again)) == (22, 2)


def test_a_skip_is_no_answer(batch: Adaptive) -> None:
    batch.answer_first(but=[batch.split[0]])
    for place in batch.places(batch.split[0]):
        batch.team.answer(place.assignment, place.item, None)
    assert ask_again(batch.batch, now=NOW) == 1
    assert {*batch.extra()} == {batch.split[0]}


def test_the_budget_goes_to_the_least_sure(ready: Cast) -> None:
    batch = adaptive(ready, budget=21)
    batch.answer_first(split=batch.split)
    assert ask_again(batch.batch, now=NOW) == 1
    state = overlap_state(batch.batch)
    assert state and state.counts[Standing.NO_BUDGET] == 1


def test_a_paused_batch_and_a_shared_discussion_ask_nobody(batch: Adaptive) -> None:
    batch.answer_first(split=batch.split)
    first = batch.places(batch.split[0])[0]
    follow_flag(first, True, "Hm", NOW)
    Discussion.objects.update(shared_at=NOW)
    pause_batch(batch=batch.batch, actor=batch.cast.rosa, now=NOW)
    assert ask_again(batch.batch, now=NOW) == 0
    type(batch.batch).objects.update(state="open")
    ask_again(batch.batch, now=NOW)
    assert {*batch.extra()} == {batch.split[1]}
    state = overlap_state(batch.batch)
    assert state and state.standing[batch.split[0]] is Standing.NOBODY_LEFT


def test_whoever_was_withdrawn_is_not_asked(batch: Adaptive) -> None:
    batch.answer_first(split=batch.split)
    third = ({"amal", "bea", "chen"} - batch.who(batch.split[0])).pop()
    withdraw_annotator(batch=batch.batch, annotator=person(batch.cast, third), actor=batch.cast.rosa, now=NOW)
    ask_again(batch.batch, now=NOW)
    assert batch.split[0] not in batch.extra()


def test_an_extra_answer_that_changes_hands_stays_one(ready: Cast) -> None:
    # Opened for three of four, so that somebody is left to take over
    batch = adaptive(ready, annotators=["amal", "bea"], start_with=1, at_most=2, sure_at=0.99)
    batch.answer_first()
    assert ask_again(batch.batch, now=NOW) > 0
    giver = next(iter(batch.extra().values()))
    n = sum(who == giver for who in batch.extra().values())
    reassign_items(
        batch=batch.batch, annotator=person(ready, giver), to=[ready.chen], actor=ready.rosa, now=NOW
    )
    assert sum(who == "chen" for who in batch.extra().values()) == n
    assert sum(who == giver for who in batch.extra().values()) <= n


def test_answers_lead_to_one_job_and_it_to_one_item_in_label_studio(batch: Adaptive) -> None:
    server = FakeLabelStudio(now=NOW)
    bring_in_line(batch.batch, server, now=NOW, report=lambda done, total: None)
    batch.answer_first(split=batch.split[:1])
    for _ in range(2):
        tell_that_answers_arrived(batch.batch.pk, NOW)
    job = Job.objects.get(kind=ASK_AGAIN)
    run_job(job_id=job.pk, clock=timezone.now)
    job.refresh_from_db()
    assert job.result == {
        "summary": "1 more answers asked for in “Batch 1”.",
        "url": f"/studies/kind-words/batches/{batch.batch.pk}",
        "asked": 1,
    }
    bring_in_line(batch.batch, server, now=NOW, report=lambda done, total: None)
    # What is answered is safe here already, so that it is asked of nobody else
    there = {
        share.annotator.username: [
            task.item for task in server.task_index(share.project.label_studio_id or 0)
        ]
        for share in batch.batch.assignments.all()
    }
    assert {who: items for who, items in there.items() if items} == {
        batch.extra()[batch.split[0]]: batch.split[:1]
    }


def test_other_batches_are_left_alone(ready: Cast) -> None:
    overlap = opened(ready, wish(kind="overlap", n=3))
    assert ask_again_if_adaptive(overlap, NOW) is None
    assert ask_again(overlap, now=NOW) == 0


def test_one_annotator_to_start_with_and_two_for_a_tenth(ready: Cast) -> None:
    plan = plan_batch(study=ready.study, request=wish(start_with=1, n=30), now=NOW)
    twice = plan.n_assigned - len(plan.items)
    assert 0 < twice < 9
    assert plan.most_answers == 90
    assert [each.n for each in plan.expected] == sorted(each.n for each in plan.expected)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"at_most": 2}, errors.NobodyToAskAgain),
        ({"at_most": 4}, errors.TooFewToAsk),
        ({"annotators": ["amal", "bea"]}, errors.TooFewToAsk),
        ({"budget": 20}, errors.BudgetTooSmall),
    ],
)
def test_what_cannot_be_opened(ready: Cast, change: dict[str, object], problem: type[Exception]) -> None:
    with pytest.raises(problem):
        plan_batch(study=ready.study, request=wish(**change), now=NOW)


def test_another_policy_is_another_plan(ready: Cast) -> None:
    one = plan_batch(study=ready.study, request=wish(), now=NOW)
    other = plan_batch(study=ready.study, request=wish(sure_at=0.95), now=NOW)
    assert one.shares == other.shares
    assert one.hash != other.hash
