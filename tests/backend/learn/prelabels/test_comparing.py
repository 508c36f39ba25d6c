"""The conditions are compared on first answers, beside what the model said before them."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from backend.annotate.batches.models import BatchKind
from backend.annotate.judgments.models import Submission
from backend.core.jobs.models import Job
from backend.decide.releases.gathering import gather
from backend.learn.models.services import retire, roll_back
from backend.learn.prelabels.comparing import COMPARE_CONDITIONS, compare_or_enqueue, compare_study
from backend.learn.prelabels.models import KeptPrediction, PrelabelChoice, Suggestion
from backend.learn.prelabels.predicting import read_kept
from backend.learn.prelabels.selectors import suggested_by
from backend.learn.prelabels.services import change_choice
from backend.learn.prelabels.status import batch_status
from learning.prelabel_experiment.values import Condition
from learning.prelabel_experiment.words import Verdict
from tests.backend.learn.models.fixtures import run
from tests.backend.learn.prelabels.answer_fixtures import judge_all
from tests.backend.learn.prelabels.fixtures import Bench, made_items

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_without_conditions_there_is_nothing_to_compare(bench: Bench) -> None:
    assert compare_study(bench.study) is None


def test_answers_are_held_against_the_model_in_both_conditions(bench: Bench) -> None:
    batch = bench.batch()
    bench.promote(bench.first)
    bench.push(batch)
    bench.later(minutes=5)
    judge_all(bench, batch, pull=0.0)
    found = compare_study(bench.study, resamples=50)
    assert found is not None and found.verdict is Verdict.TOO_FEW
    report = found.report
    predicted = {
        kept.item.item_id: prediction
        for kept in KeptPrediction.objects.select_related("item")
        if (prediction := read_kept(kept)) is not None
    }
    conditions = bench.conditions(batch)
    # Items without a reply have nothing to judge, and nothing to compare.
    assert report.blind.answers == sum(conditions[item] is Condition.BLIND for item in predicted)
    assert report.suggested.answers == sum(conditions[item] is Condition.SUGGESTED for item in predicted)
    lowest = [
        code.value == 0
        for item, prediction in predicted.items()
        if conditions[item] is Condition.BLIND
        for code in prediction.codes
    ]
    assert report.with_model.blind.value == pytest.approx(sum(lowest) / len(lowest))
    assert report.seconds.blind.value == 40


def test_answers_from_before_there_was_a_model_do_not_count(bench: Bench) -> None:
    batch = bench.batch()
    early = [item for item in bench.items if item.reply_id][:3]
    for item in early:
        bench.submit(batch, item, bench.nothing_found(item))
    bench.poll()
    bench.later(minutes=5)
    bench.promote(bench.first)
    bench.push(batch)
    found = compare_study(bench.study, resamples=50)
    assert found is not None
    assert found.report.blind.answers + found.report.suggested.answers == 0


def test_what_no_model_spoke_of_is_not_decoded(bench: Bench) -> None:
    """The page used to read every answer of every batch, and threw it away."""
    batch = bench.batch()
    bench.promote(bench.first)
    bench.push(batch)
    bench.later(minutes=5)
    judge_all(bench, batch, pull=0.0)
    Suggestion.objects.all().delete()
    with CaptureQueriesContext(connection) as asked:
        found = compare_study(bench.study, resamples=50)
    assert found is not None and found.report.blind.answers == 0
    assert not [one for one in asked if '"body"' in one["sql"]]


def test_nothing_is_decoded_again_until_there_is_another_answer(bench: Bench) -> None:
    """The page used to decode every covered answer, and to draw all resamples, whenever it was looked at."""
    batch = bench.batch()
    bench.promote(bench.first)
    bench.push(batch)
    bench.later(minutes=5)
    early, late = [item for item in bench.items_in(batch, Condition.SUGGESTED) if item.reply_id][:2]
    bench.submit(batch, early, bench.nothing_found(early))
    bench.poll()
    assert _answers_and_reads(bench) == (1, True)
    assert _answers_and_reads(bench) == (1, False)
    bench.submit(batch, late, bench.nothing_found(late))
    bench.poll()
    assert _answers_and_reads(bench) == (2, True)
    assert _answers_and_reads(bench) == (2, False)
    Suggestion.objects.filter(assigned_item__item=early).update(taken_back_at=bench.clock())
    assert _answers_and_reads(bench) == (1, True)


def _answers_and_reads(bench: Bench) -> tuple[int, bool]:
    """How many answers to suggestions there are, and whether any had to be read for it."""
    with CaptureQueriesContext(connection) as asked:
        found = compare_study(bench.study, resamples=50)
    assert found is not None
    return found.report.suggested.answers, any('"body"' in one["sql"] for one in asked)


def test_many_new_answers_are_compared_by_a_job(bench: Bench) -> None:
    """Whoever opens the page sees what is known, and does not wait until all answers have been read."""
    batch = bench.batch()
    bench.promote(bench.first)
    bench.push(batch)
    bench.later(minutes=5)
    early, late = [item for item in bench.items_in(batch, Condition.SUGGESTED) if item.reply_id][:2]
    bench.submit(batch, early, bench.nothing_found(early))
    bench.poll()
    assert _look_at_many(bench) == (None, True, False)
    assert _look_at_many(bench) == (None, True, False)
    jobs = Job.objects.filter(kind=COMPARE_CONDITIONS)
    assert run(jobs.get()).state == "done"
    assert _look_at_many(bench) == (1, False, False)
    bench.submit(batch, late, bench.nothing_found(late))
    bench.poll()
    assert _look_at_many(bench) == (1, True, False)
    assert run(jobs.latest("pk")).state == "done"
    assert _look_at_many(bench) == (2, False, False)


def _look_at_many(bench: Bench) -> tuple[int | None, bool, bool]:
    """Where two answers are many: answers to suggestions, whether a job compares, and whether any had to be read."""
    with CaptureQueriesContext(connection) as asked:
        found, is_comparing = compare_or_enqueue(bench.study, now=bench.clock(), at_once=0)
    n = found.report.suggested.answers if found else None
    return n, is_comparing, any('"body"' in one["sql"] for one in asked)


@pytest.mark.parametrize("how", ["switched off", "retired"])
def test_answers_after_suggestions_were_taken_back_are_in_no_condition(bench: Bench, how: str) -> None:
    """Nor does a release say that they were suggested; what was answered before is as it was."""
    batch = bench.batch()
    bench.promote(bench.first)
    bench.push(batch)
    bench.later(minutes=5)
    early = [
        next(item for item in bench.items_in(batch, condition) if item.reply_id)
        for condition in (Condition.SUGGESTED, Condition.BLIND)
    ]
    for item in early:
        bench.submit(batch, item, bench.nothing_found(item))
    if how == "retired":
        retire(adapter=bench.first, actor=bench.cast.rosa, now=bench.clock())
    else:
        off = PrelabelChoice(is_on=False)
        change_choice(study=bench.study, choice=off, actor=bench.cast.rosa, now=bench.clock())
    assert bench.push(batch).state == "done"
    bench.later(minutes=5)
    for item in bench.items:
        if item not in early:
            bench.submit(batch, item, bench.nothing_found(item))
    bench.poll()
    found = compare_study(bench.study, resamples=50)
    assert found is not None
    assert (found.report.suggested.answers, found.report.blind.answers) == (1, 1)
    assert suggested_by(bench.study) == {early[0].pk: (bench.first.adapter_id,)}
    assert batch_status(batch).shown == 1
    # Somebody had one open, and began from what it showed.
    late = next(
        item for item in bench.items_in(batch, Condition.SUGGESTED) if item.reply_id and item not in early
    )
    Submission.objects.filter(assigned_item__item=late).update(from_prediction=True)
    assert set(suggested_by(bench.study)) == {early[0].pk, late.pk}


def test_suggestions_that_come_back_count_again(bench: Bench) -> None:
    batch = bench.batch()
    bench.promote(bench.first)
    bench.push(batch)
    there = Suggestion.objects.filter(taken_back_at=None)
    at_first = set(there.values_list("pk", flat=True))
    bench.promote(bench.second)
    bench.push(batch)
    assert {row.prediction.adapter for row in there} == {bench.second}
    roll_back(study=bench.study, actor=bench.cast.rosa, now=bench.clock())
    bench.push(batch)
    assert set(there.values_list("pk", flat=True)) == at_first


def test_many_who_follow_are_found_out(bench: Bench) -> None:
    bench.items += made_items(bench.study, 140, start=60)
    half = PrelabelChoice(blind_share=0.5)
    change_choice(study=bench.study, choice=half, actor=bench.cast.rosa, now=bench.clock())
    batch = bench.batch(kind=BatchKind.ACTIVE)
    bench.promote(bench.first)
    bench.push(batch)
    bench.later(minutes=5)
    judge_all(bench, batch, pull=0.9)
    found = compare_study(bench.study, resamples=300)
    assert found is not None and found.verdict is Verdict.ANCHORED
    assert found.conclusions[0].startswith("Suggestions draw people towards the model")
    assert found.report.seconds.apart == -20
    assert any("20 s less with suggestions" in line for line in found.conclusions)


def test_a_release_says_which_items_were_judged_with_suggestions_in_view(bench: Bench) -> None:
    batch = bench.batch()
    bench.promote(bench.first)
    bench.push(batch)
    bench.later(minutes=5)
    judge_all(bench, batch, pull=0.0)
    rows = {each.item.item_id: each.item for each in gather(bench.study, with_texts=False).items}
    expected = {
        item.item_id
        for item in bench.items
        if bench.conditions(batch)[item.item_id] is Condition.SUGGESTED and item.reply_id
    }
    assert {item for item, row in rows.items() if row.suggested_by} == expected
    assert {row.suggested_by for row in rows.values()} == {(), (bench.first.adapter_id,)}
