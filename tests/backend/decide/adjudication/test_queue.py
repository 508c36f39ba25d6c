"""Each reason brings an item into the queue, a decision takes it out, and what comes later brings it back."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from backend.annotate.batches.models import BatchKind, BatchState
from backend.annotate.discussions.models import Discussion
from backend.annotate.discussions.services import reply, settle
from backend.annotate.judgments.models import Submission
from backend.decide.adjudication.annotator_answers import answers_of_item
from backend.decide.adjudication.models import Suspicion, SuspicionKind
from backend.decide.adjudication.queue import Choice, Queue, Reason, queue_for
from backend.decide.adjudication.queue_rows import refresh_queue
from backend.decide.adjudication.services import undo
from backend.decide.releases.gathering import gather
from backend.design.codebooks.services import add_edition
from tests.backend.decide.adjudication.fixtures import ADVICE, EMOTIONS, Bench, later, marked
from tests.backend.decide.adjudication.many import (
    A_YEAR,
    decide_thousands_twice,
    hand_in_thousands,
    seconds_for,
)
from tests.backend.decide.adjudication.test_views import client_of
from tests.cast import NOW
from tests.timing import quickest

SPACE = "I feel lost at work today"


def waiting(bench: Bench) -> Queue:
    return queue_for(bench.cast.rosa, bench.study)


def reasons(bench: Bench, place: int = 0) -> dict[Reason, int]:
    pk = bench.items[place].pk
    return next((dict(entry.points) for entry in waiting(bench).entries if entry.item_pk == pk), {})


def test_agreement_is_nobodys_work(bench: Bench) -> None:
    bench.all_say(bench.items[0], [EMOTIONS], [EMOTIONS], [EMOTIONS])
    assert (len(waiting(bench).entries), waiting(bench).total) == (0, 0)


def test_a_disagreement_counts_each_code(bench: Bench) -> None:
    bench.all_say(bench.items[0], [EMOTIONS, ADVICE], [EMOTIONS], [])
    assert reasons(bench) == {Reason.DISAGREEMENT: 2}
    (entry,) = waiting(bench).entries
    assert entry.codes == {EMOTIONS, ADVICE}


def test_other_words_for_the_same_code(bench: Bench) -> None:
    item = bench.items[0]
    for annotator, words in zip(
        bench.annotators, ("I feel lost", "I feel lost at work", "today"), strict=True
    ):
        bench.hand_in(annotator, item, marked(bench.work, item, EMOTIONS, words))
    assert reasons(bench) == {Reason.EVIDENCE: 1}
    bench.plan(threshold=0)
    assert reasons(bench) == {}


def test_evidence_is_held_to_the_studys_threshold(bench: Bench) -> None:
    """Three of five tokens are shared: F1 = 2·3 / (3 + 5) = 0.75."""
    item = bench.items[0]
    for annotator, words in zip(
        bench.annotators, ("I feel lost", "I feel lost at work", "I feel lost"), strict=True
    ):
        bench.hand_in(annotator, item, marked(bench.work, item, EMOTIONS, words))
    assert reasons(bench) == {}
    bench.plan(threshold=0.76)
    assert reasons(bench) == {Reason.EVIDENCE: 1}


def test_an_answer_in_quarantine(bench: Bench) -> None:
    item = bench.items[0]
    for annotator in bench.annotators[:2]:
        bench.hand_in(annotator, item, bench.answer(item))
    bench.hand_in(bench.cast.chen, item, None, results=[{"nonsense": True}])
    assert reasons(bench) == {Reason.QUARANTINE: 1}


def test_an_open_flag(bench: Bench) -> None:
    bench.all_say(bench.items[0], [], [], [], flag="Is it?")
    assert reasons(bench) == {Reason.FLAG: 1}
    bench.decide(bench.items[0], bench.cast.rosa, reason="No.", settles=True)
    assert waiting(bench).settled == 1


def test_a_flag_stays_until_it_is_settled_and_so_does_the_gap_in_the_release(bench: Bench) -> None:
    item = bench.items[0]
    bench.all_say(item, [], [], [], flag="Is it?")
    bench.decide(item, bench.cast.rosa)
    assert reasons(bench) == {Reason.FLAG: 1}
    assert waiting(bench).settled == 0
    assert gather(bench.study, with_texts=False).left_out["flag"] == 1
    discussion = Discussion.objects.get()
    reply(discussion=discussion, author=bench.cast.rosa, body="We say no.", now=later(5))
    assert reasons(bench) == {Reason.FLAG: 1}
    settle(discussion=discussion, actor=bench.cast.rosa, reason="No.", now=later(6))
    assert (reasons(bench), waiting(bench).settled) == ({}, 1)
    assert "flag" not in gather(bench.study, with_texts=False).left_out
    reply(discussion=discussion, author=bench.cast.rosa, body="A note on it.", now=later(7))
    assert reasons(bench) == {}
    reply(discussion=discussion, author=bench.cast.amal, body="But it is!", now=later(8))
    assert reasons(bench) == {Reason.FLAG: 1}


def test_a_suspicion_until_it_is_dismissed_or_decided(bench: Bench) -> None:
    item = bench.items[0]
    bench.all_say(item, [], [], [])
    suspicion = Suspicion.objects.create(
        item=item, kind=SuspicionKind.RECHECK, code=EMOTIONS, detail={}, detail_hash="x", found_at=NOW
    )
    assert reasons(bench) == {Reason.SUSPECT: 1}
    bench.decide(item, bench.cast.rosa)
    assert reasons(bench) == {}
    Suspicion.objects.filter(pk=suspicion.pk).update(found_at=later(60))
    assert reasons(bench) == {Reason.SUSPECT: 1}


def test_what_an_annotator_changes_after_the_decision_brings_the_item_back(bench: Bench) -> None:
    item = bench.items[0]
    bench.disagree(item)
    bench.decide(item, bench.cast.rosa, EMOTIONS)
    assert reasons(bench) == {}
    bench.hand_in(bench.cast.chen, item, bench.answer(item, ADVICE), minutes=90)
    assert reasons(bench) == {Reason.CHANGED: 1}
    bench.decide(item, bench.cast.ravi, EMOTIONS, minutes=95)
    assert reasons(bench) == {}


def test_answers_that_are_all_taken_back_are_a_change_too(bench: Bench) -> None:
    item = bench.items[0]
    bench.disagree(item)
    bench.decide(item, bench.cast.rosa, EMOTIONS)
    Submission.objects.filter(assigned_item__item=item).delete()
    assert reasons(bench) == {Reason.CHANGED: 1}
    bench.decide(item, bench.cast.rosa, EMOTIONS, minutes=5)
    assert reasons(bench) == {}


def test_items_wait_until_everybody_has_judged_them(bench: Bench) -> None:
    item = bench.items[0]
    bench.all_say(item, [EMOTIONS], [])
    assert (len(waiting(bench).entries), waiting(bench).with_annotators) == (0, 1)
    bench.batch.state = BatchState.CLOSED
    bench.batch.save()
    assert reasons(bench) == {Reason.DISAGREEMENT: 1}


@pytest.mark.parametrize("kind", [BatchKind.PRACTICE, BatchKind.RECHECK])
def test_practice_and_rechecks_take_no_part(bench: Bench, kind: BatchKind) -> None:
    item = bench.items[0]
    bench.all_say(item, [], [], [])
    again = bench.again(bench.cast.amal, item, kind=kind, name="Again")
    bench.hand_in(bench.cast.amal, item, bench.answer(item, EMOTIONS), batch=again)
    assert reasons(bench) == {}


def test_of_two_batches_the_earlier_answer_counts(bench: Bench) -> None:
    item = bench.items[0]
    bench.all_say(item, [], [], [])
    again = bench.again(bench.cast.amal, item, kind=BatchKind.MAIN, name="Later")
    bench.hand_in(bench.cast.amal, item, bench.answer(item, EMOTIONS), batch=again)
    assert reasons(bench) == {}


def test_the_newest_edition_is_heard_in_the_workspace_and_by_the_release(bench: Bench) -> None:
    item = bench.items[0]
    bench.all_say(item, [EMOTIONS], [EMOTIONS], [EMOTIONS])
    edition = add_edition(
        study=bench.study,
        source=bench.work.edition.source.replace("definition: ", "definition: Not ", 1),
        file_name="codebook.yaml",
        note="Reworded",
        actor=bench.cast.rosa,
        now=later(0),
    )
    bench.work = replace(bench.work, edition=edition)
    again = bench.work.batch(*bench.annotators, items=[item], name="Second round")
    for annotator, codes in zip(bench.annotators, ([EMOTIONS], [], [ADVICE]), strict=True):
        bench.hand_in(annotator, item, bench.answer(item, *codes), batch=again)
    assert reasons(bench) == {Reason.DISAGREEMENT: 2}
    assert said_in_release(bench) == said_in_workspace(bench) == [{EMOTIONS}, set(), {ADVICE}]
    again.state = BatchState.DISCARDING
    again.save()
    assert reasons(bench) == {}
    assert said_in_release(bench) == said_in_workspace(bench) == [{EMOTIONS}] * 3


def said_in_workspace(bench: Bench) -> list[set[str]]:
    given = answers_of_item(bench.items[0])
    return [{code for code, value in answer.side.values.items() if value} for answer in given]


def said_in_release(bench: Bench) -> list[set[str]]:
    found = gather(bench.study, with_texts=False).items
    (judged,) = [one for one in found if one.item.item_id == bench.items[0].item_id]
    return [{one.code_id for one in given.answers.judgments if one.value} for given in judged.answers]


def test_the_most_open_points_come_first_and_ties_stay_in_order(bench: Bench) -> None:
    bench.disagree(bench.items[2])
    bench.disagree(bench.items[0])
    bench.all_say(bench.items[1], [EMOTIONS, ADVICE], [], [])
    pks = [entry.item_pk for entry in waiting(bench).entries]
    assert pks == [bench.items[1].pk, bench.items[0].pk, bench.items[2].pk]


def test_filters_and_counts(bench: Bench) -> None:
    bench.disagree(bench.items[0], EMOTIONS)
    bench.disagree(bench.items[1], ADVICE)
    bench.all_say(bench.items[3], [], [], [], flag="Is it?")
    found = waiting(bench)
    assert found.counts()[Reason.DISAGREEMENT] == 2
    assert found.counts()[Reason.FLAG] == 1
    assert [entry.item_pk for entry in found.chosen(Choice(code_id=ADVICE))] == [bench.items[1].pk]
    assert len(found.chosen(Choice(reason=Reason.FLAG))) == 1
    assert len(found.chosen(Choice(batch_id=bench.batch.pk))) == 3
    assert found.chosen(Choice(annotator_id=bench.cast.rosa.pk)) == []


def test_codes_that_a_new_edition_dropped_are_disputed_no_more(bench: Bench) -> None:
    bench.disagree(bench.items[0], ADVICE)
    source = bench.work.edition.source
    start = source.index("      - id: offering-advice")
    add_edition(
        study=bench.study,
        source=source[:start].replace("        answered_by: [offering-advice]\n", ""),
        file_name="codebook.yaml",
        note="Without advice",
        actor=bench.cast.rosa,
        now=later(0),
    )
    assert reasons(bench) == {}


@pytest.mark.django_db
@A_YEAR
def test_a_years_items_take_few_queries_and_little_time(bench: Bench, n: int) -> None:
    hand_in_thousands(bench.work, n)
    refresh_queue(bench.study)
    with CaptureQueriesContext(connection) as warm:
        found = queue_for(bench.cast.rosa, bench.study)
    assert len(warm) <= 9
    assert len(found.entries) > n // 10
    assert quickest(lambda: queue_for(bench.cast.rosa, bench.study)) < seconds_for(n, 1)


@pytest.mark.django_db
@A_YEAR
def test_a_years_items_decided_twice_are_no_slower(bench: Bench, n: int) -> None:
    items = hand_in_thousands(bench.work, n)
    decide_thousands_twice(bench.work, items)
    refresh_queue(bench.study)
    with CaptureQueriesContext(connection) as warm:
        found = waiting(bench)
    assert quickest(partial(waiting, bench)) < seconds_for(n, 1.5)
    assert len(warm) <= 9
    assert found.counts()[Reason.RECONCILE] == n // 10
    assert not any("post_text" in asked["sql"] or '"answers"' in asked["sql"] for asked in warm)
    bench.plan(threshold=0.9)
    assert waiting(bench).is_counting
    assert quickest(partial(waiting, bench)) < seconds_for(n, 1.5)
    refresh_queue(bench.study)
    assert waiting(bench).counts()[Reason.RECONCILE] == n
    client = client_of(bench.cast.rosa)
    for page in ("overview:study", "adjudication:settled", "studies:members"):
        address = reverse(page, args=[bench.study.slug])
        client.get(address)
        with CaptureQueriesContext(connection) as asked:
            assert client.get(address).status_code == 200
        # Whether there is any is asked, and how many, and none is read
        read = [
            one["sql"]
            for one in asked
            if not one["sql"].startswith("SELECT 1 AS") and "COUNT(" not in one["sql"]
        ]
        assert not [sql for sql in read if "judgments_" in sql], page
        assert quickest(partial(client.get, address)) < seconds_for(n, 1.5), page


def test_a_decision_is_noticed_by_what_is_kept(bench: Bench) -> None:
    bench.disagree(bench.items[0])
    bench.disagree(bench.items[1])
    assert len(waiting(bench).entries) == 2
    decision = bench.decide(bench.items[0], bench.cast.rosa, EMOTIONS)
    assert len(waiting(bench).entries) == 1
    undo(decision=decision, actor=bench.cast.rosa, now=later(1))
    assert len(waiting(bench).entries) == 2
