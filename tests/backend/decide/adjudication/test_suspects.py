"""Labels that look wrong join the queue once, and what was dismissed stays so."""

from __future__ import annotations

import numpy as np
import pytest
from django.db import connection, transaction

from backend.annotate.batches.models import BatchKind
from backend.core.jobs.errors import JobCancelled
from backend.core.jobs.models import JobState
from backend.core.jobs.runner import run_job
from backend.decide.adjudication.errors import DecisionRefused
from backend.decide.adjudication.models import Suspicion, SuspicionKind
from backend.decide.adjudication.plan_services import dismiss_suspicion
from backend.decide.adjudication.queue import Reason, queue_for
from backend.decide.adjudication.selectors import open_suspicions, unanswered_suspicions
from backend.decide.adjudication.services import undo
from backend.decide.adjudication.suspects import find_suspects, suspect_predictions
from backend.decide.adjudication.suspicion_rows import enqueue_find_suspects
from backend.decide.adjudication.suspicion_words import in_words
from backend.design.samples.models import Item
from tests.backend.decide.adjudication.fixtures import ADVICE, EMOTIONS, Bench, later
from tests.batch_fixtures import CastAtWork

SAME = "Nobody at work speaks to me any more and I sit alone at lunch every day"


def twins(bench: Bench, n: int = 3) -> Bench:
    """Items with the same post, judged by Amal alone."""
    items = Item.objects.bulk_create(
        Item(
            study=bench.study,
            item_id=f"twin-{number}",
            platform="reddit",
            community="NineToFive",
            post_id=f"t{number}",
            title="Alone",
            post_text=SAME + "!" * number,
        )
        for number in range(n)
    )
    bench.items = items
    bench.batch = bench.work.batch(bench.cast.amal, items=items, name="Twins", kind=BatchKind.MAIN)
    return bench


def test_one_who_judges_the_same_words_differently(bench: Bench) -> None:
    twins(bench)
    for item, codes in zip(bench.items, ([EMOTIONS], [EMOTIONS], []), strict=True):
        bench.hand_in(bench.cast.amal, item, bench.answer(item, *codes))
    assert find_suspects(study=bench.study, now=later(0)) == 1
    suspicion = Suspicion.objects.get()
    assert (suspicion.item, suspicion.kind, suspicion.code) == (
        bench.items[2],
        SuspicionKind.NEAR_IDENTICAL,
        EMOTIONS,
    )
    assert SAME not in str(suspicion.detail)
    (entry,) = queue_for(bench.cast.rosa, bench.study).entries
    assert entry.points == {Reason.SUSPECT: 1}
    assert find_suspects(study=bench.study, now=later(1)) == 0
    dismiss_suspicion(suspicion=suspicion, reason="Irony.", actor=bench.cast.rosa, now=later(2))
    assert find_suspects(study=bench.study, now=later(3)) == 0
    assert queue_for(bench.cast.rosa, bench.study).entries == ()


def test_final_labels_that_differ_on_the_same_words(bench: Bench) -> None:
    twins(bench)
    for item, codes in zip(bench.items, ([EMOTIONS], [EMOTIONS], []), strict=True):
        bench.hand_in(bench.cast.amal, item, bench.answer(item))
        bench.decide(item, bench.cast.rosa, *codes)
    assert find_suspects(study=bench.study, now=later(30)) == 1
    assert Suspicion.objects.get().detail["annotator"] is None
    bench.decide(bench.items[2], bench.cast.rosa, EMOTIONS, minutes=40)
    assert queue_for(bench.cast.rosa, bench.study).entries == ()


def test_one_who_answers_otherwise_when_asked_again(bench: Bench) -> None:
    item = bench.items[0]
    bench.all_say(item, [EMOTIONS], [EMOTIONS], [EMOTIONS])
    again = bench.again(bench.cast.bea, item, kind=BatchKind.RECHECK, name="Again")
    bench.hand_in(bench.cast.bea, item, bench.answer(item), batch=again)
    assert find_suspects(study=bench.study, now=later(0)) == 1
    suspicion = Suspicion.objects.get()
    assert (suspicion.kind, suspicion.detail["annotator"]) == (SuspicionKind.RECHECK, "bea")
    assert suspicion.detail["values"] == [1, 0]


def test_a_models_probabilities_raise_suspicions(bench: Bench) -> None:
    labels = np.array([0, 0, 0, 1, 1])
    probabilities = np.array([[0.9, 0.1], [0.7, 0.3], [0.2, 0.8], [0.2, 0.8], [0.4, 0.6]])
    found = suspect_predictions(
        study=bench.study,
        code_id=EMOTIONS,
        items=bench.items[:5],
        labels=labels,
        probabilities=probabilities,
        now=later(0),
    )
    assert found == 1
    assert Suspicion.objects.get().item == bench.items[2]


def test_the_job_says_what_it_found(bench: Bench) -> None:
    twins(bench)
    for item, codes in zip(bench.items, ([EMOTIONS], [EMOTIONS], []), strict=True):
        bench.hand_in(bench.cast.amal, item, bench.answer(item, *codes))
    job = enqueue_find_suspects(study=bench.study, actor=bench.cast.rosa, now=later(0))
    run_job(job_id=job.pk, clock=lambda: later(1))
    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert Suspicion.objects.count() == 1


def test_what_is_mended_is_suspected_no_more_until_it_is_found_again(bench: Bench) -> None:
    twins(bench)
    for item, codes in zip(bench.items, ([EMOTIONS], [EMOTIONS], []), strict=True):
        bench.hand_in(bench.cast.amal, item, bench.answer(item, *codes))
    find_suspects(study=bench.study, now=later(0))
    odd = bench.items[2]
    bench.hand_in(bench.cast.amal, odd, bench.answer(odd, EMOTIONS), minutes=10)
    assert find_suspects(study=bench.study, now=later(20)) == 0
    assert Suspicion.objects.get().gone_at == later(20)
    assert queue_for(bench.cast.rosa, bench.study).entries == ()
    bench.hand_in(bench.cast.amal, odd, bench.answer(odd), minutes=30)
    assert find_suspects(study=bench.study, now=later(40)) == 1
    assert (Suspicion.objects.get().gone_at, Suspicion.objects.get().found_at) == (None, later(40))


def test_a_search_leaves_what_it_did_not_look_for(bench: Bench) -> None:
    bench.all_say(bench.items[0], [], [], [])
    Suspicion.objects.create(
        item=bench.items[0],
        kind=SuspicionKind.PREDICTION,
        code=EMOTIONS,
        detail={"label": 0, "confident": 1},
        detail_hash="x",
        found_at=later(0),
    )
    find_suspects(study=bench.study, now=later(1))
    assert Suspicion.objects.get().gone_at is None


def test_a_reason_that_cannot_be_stored_is_refused(bench: Bench) -> None:
    suspicion = Suspicion.objects.create(
        item=bench.items[0],
        kind=SuspicionKind.RECHECK,
        code=EMOTIONS,
        detail={},
        detail_hash="x",
        found_at=later(0),
    )
    for reason in ("a\x00b", "x" * 5000):
        with pytest.raises(DecisionRefused):
            dismiss_suspicion(suspicion=suspicion, reason=reason, actor=bench.cast.rosa, now=later(1))


@pytest.mark.django_db(transaction=True)
def test_comparing_keeps_nobody_waiting_and_can_be_stopped(work: CastAtWork) -> None:
    bench = twins(Bench(work))
    for item, codes in zip(bench.items, ([EMOTIONS], [EMOTIONS], []), strict=True):
        bench.hand_in(bench.cast.amal, item, bench.answer(item, *codes))
    steps: list[tuple[int, int]] = []

    def report(done: int, total: int) -> None:
        assert not connection.in_atomic_block
        steps.append((done, total))
        if done == total - 1 and not Suspicion.objects.exists() and len(steps) == total:
            raise JobCancelled("Stop.")

    with pytest.raises(JobCancelled):
        find_suspects(study=bench.study, now=later(0), report=report, writing=transaction.atomic)
    assert not Suspicion.objects.exists()
    assert find_suspects(study=bench.study, now=later(0), report=report, writing=transaction.atomic) == 1
    total = steps[0][1]
    assert steps == [(done, total) for done in range(total)] * 2


def doubted_by_a_model(bench: Bench, minutes: int, *, reopens: str, code: str = EMOTIONS) -> int:
    """A model that is sure of another label for the third of five items."""
    return suspect_predictions(
        study=bench.study,
        code_id=code,
        items=bench.items[:5],
        labels=np.array([0, 0, 0, 1, 1]),
        probabilities=np.array([[0.9, 0.1], [0.7, 0.3], [0.2, 0.8], [0.2, 0.8], [0.4, 0.6]]),
        now=later(minutes),
        reopens=reopens,
    )


def doubted_by_none(bench: Bench, minutes: int) -> int:
    return suspect_predictions(
        study=bench.study,
        code_id=EMOTIONS,
        items=bench.items[:5],
        labels=np.array([0, 0, 0, 1, 1]),
        probabilities=np.array([[0.9, 0.1]] * 3 + [[0.1, 0.9]] * 2),
        now=later(minutes),
    )


def test_a_decision_closes_what_was_suspected_and_only_new_evidence_reopens_it_once(bench: Bench) -> None:
    odd = bench.items[2]
    bench.all_say(odd, [], [], [])
    assert doubted_by_a_model(bench, 0, reopens="") == 1
    bench.decide(odd, bench.cast.rosa, minutes=10)
    # One model no longer doubts it and the next one does, as weak models do
    doubted_by_none(bench, 20)
    assert doubted_by_a_model(bench, 30, reopens="") == 0
    assert queue_for(bench.cast.rosa, bench.study).settled == 1
    assert doubted_by_a_model(bench, 40, reopens="the model “B” has passed.") == 1
    (entry,) = queue_for(bench.cast.rosa, bench.study).entries
    assert entry.points == {Reason.SUSPECT: 1}
    (said,) = in_words(Suspicion.objects.all(), bench.work.codebook)
    assert "is open again, once: the model “B” has passed." in said.sentence
    bench.decide(odd, bench.cast.rosa, minutes=50)
    doubted_by_none(bench, 60)
    assert doubted_by_a_model(bench, 70, reopens="the model “C” has passed.") == 0
    assert queue_for(bench.cast.rosa, bench.study).settled == 1


def test_models_reopen_a_decided_item_once_whatever_codes_they_doubt(bench: Bench) -> None:
    odd = bench.items[2]
    bench.all_say(odd, [], [], [])
    bench.decide(odd, bench.cast.rosa, minutes=10)
    assert doubted_by_a_model(bench, 20, reopens="the model “B” has passed.") == 1
    # The same model doubts another code of it, before anybody has looked
    assert doubted_by_a_model(bench, 20, reopens="the model “B” has passed.", code=ADVICE) == 1
    bench.decide(odd, bench.cast.rosa, minutes=30)
    assert doubted_by_a_model(bench, 40, reopens="the model “C” has passed.", code="asking-questions") == 0
    assert queue_for(bench.cast.rosa, bench.study).settled == 1


def test_a_decision_that_is_undone_answers_nothing(bench: Bench) -> None:
    odd = bench.items[2]
    bench.all_say(odd, [], [], [])
    doubted_by_a_model(bench, 0, reopens="")
    decision = bench.decide(odd, bench.cast.rosa, minutes=10)
    assert unanswered_suspicions(open_suspicions(bench.study), bench.study) == []
    undo(decision=decision, actor=bench.cast.rosa, now=later(20))
    assert len(unanswered_suspicions(open_suspicions(bench.study), bench.study)) == 1


def test_final_labels_that_contradict_each_other_are_raised_once(bench: Bench) -> None:
    twins(bench)
    for item, codes in zip(bench.items, ([EMOTIONS], [EMOTIONS], []), strict=True):
        bench.hand_in(bench.cast.amal, item, bench.answer(item))
        bench.decide(item, bench.cast.rosa, *codes)
    assert find_suspects(study=bench.study, now=later(30)) == 1
    bench.decide(bench.items[2], bench.cast.rosa, minutes=40)
    assert queue_for(bench.cast.rosa, bench.study).entries == ()
    Suspicion.objects.update(gone_at=later(41))
    assert find_suspects(study=bench.study, now=later(50)) == 0
    assert queue_for(bench.cast.rosa, bench.study).entries == ()
