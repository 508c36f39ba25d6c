"""The first step freezes what is new, by the choices and parts of the release before."""

from __future__ import annotations

import pytest
from django.utils import timezone

from backend.decide.releases.models import Release
from backend.decide.releases.selectors import read_frozen
from backend.design.samples.models import Item
from backend.learn.retraining.claiming import start_by_hand
from backend.learn.retraining.models import RetrainingRun, RunState
from backend.learn.retraining.steps.freezing import NO_LABELS, freeze
from backend.learn.retraining.steps.values import Done
from tests.backend.decide.releases.fixtures import ADVICE, answer, asked, frozen, judged_study, settle
from tests.backend.learn.retraining.fixtures import context_of, end, lose
from tests.batch_fixtures import CastAtWork
from tests.cast import NOW

pytestmark = pytest.mark.django_db


def start(work: CastAtWork) -> RetrainingRun:
    run = start_by_hand(study=work.study, actor=work.cast.rosa, now=NOW)
    return RetrainingRun.objects.select_related("previous", "edition").get(pk=run.pk)


def judge(work: CastAtWork, items: list[Item], name: str) -> None:
    batch = work.batch(work.cast.amal, items=items, name=name)
    for item in items:
        answer(work, batch, work.cast.amal, item, ADVICE)


def frozen_by(work: CastAtWork, state: RunState = RunState.PROMOTED) -> tuple[RetrainingRun, Done]:
    """One run up to its first step; it then counts as over in the given state."""
    run = start(work)
    done = freeze(run, context_of(run))
    run.refresh_from_db()
    end(run, timezone.now(), done.ending.state if done.ending else state)
    return run, done


def test_a_first_run_freezes_a_release_with_texts(work: CastAtWork) -> None:
    judged_study(work)
    run, done = frozen_by(work)
    assert run.release is not None
    assert (run.release.name, run.release.request["texts"]) == ("Retraining 1", True)
    assert done == Done("Release 1: 12 items.")


def test_without_a_label_there_is_nothing_to_learn(work: CastAtWork) -> None:
    _, done = frozen_by(work)
    assert done.ending is not None
    assert (done.ending.state, done.ending.words) == (RunState.NOTHING_NEW, NO_LABELS)
    assert not Release.objects.exists()


def test_choices_and_parts_of_the_release_before_are_kept(work: CastAtWork) -> None:
    judge(work, work.items[:8], "Batch 1")
    earlier = frozen(work, asked(consensus="dawid-skene", ratio="2:1:1", licence="CC BY 4.0"))
    judge(work, work.items[8:], "Batch 2")
    run, _ = frozen_by(work)
    assert run.release is not None
    kept = {name: run.release.request[name] for name in ("consensus", "ratio", "licence", "split_like")}
    assert kept == {
        "consensus": "dawid-skene",
        "ratio": [2, 1, 1],
        "licence": "CC BY 4.0",
        "split_like": earlier.hash,
    }
    before = {row.item.post: row.split for row in read_frozen(earlier).rows}
    after = {row.item.post: row.split for row in read_frozen(run.release).rows}
    assert (len(before), len(after)) == (8, 12)
    assert before.items() <= after.items()


def test_nothing_new_ends_the_run_without_a_release(work: CastAtWork) -> None:
    judged_study(work)
    frozen_by(work)
    _, done = frozen_by(work)
    assert done.ending is not None
    assert done.ending.state == RunState.NOTHING_NEW
    assert "nothing is new since release 1" in done.ending.words
    assert Release.objects.count() == 1


def test_one_new_decision_is_new(work: CastAtWork) -> None:
    judged_study(work)
    frozen_by(work)
    settle(work, work.items[1], ADVICE)
    run, done = frozen_by(work)
    assert done.ending is None
    assert run.release is not None
    assert run.release.number == 2


@pytest.mark.parametrize("state", [RunState.FAILED, RunState.CANCELLED])
def test_what_no_model_has_learnt_from_is_taken_as_it_is(work: CastAtWork, state: RunState) -> None:
    judged_study(work)
    first, _ = frozen_by(work, state)
    run, done = frozen_by(work)
    assert run.release == first.release
    assert done.ending is None
    assert Release.objects.count() == 1


def test_a_release_without_texts_cannot_be_learnt_from(work: CastAtWork) -> None:
    judged_study(work)
    frozen(work, asked(texts=False))
    run, _ = frozen_by(work)
    assert run.release is not None
    assert (run.release.number, run.release.request["texts"]) == (2, True)


def test_a_second_attempt_finds_the_release_of_the_first(work: CastAtWork) -> None:
    judged_study(work)
    run = start(work)
    freeze(run, context_of(run))
    lose(run)
    again = RetrainingRun.objects.select_related("previous", "edition").get(pk=run.pk)
    assert freeze(again, context_of(again)) == Done("Release 1: 12 items.")
    assert Release.objects.count() == 1
