"""Two connections that change one item together leave it as if they had come one after the other."""

from __future__ import annotations

import pytest

from backend.annotate.discussions.models import Discussion
from backend.annotate.discussions.services import settle
from backend.decide.adjudication.errors import CannotBeUndone, DecidedMeanwhile
from backend.decide.adjudication.models import DecisionRound
from backend.decide.adjudication.selectors import current_decision_for
from backend.decide.adjudication.services import Draft, decide, undo
from tests.backend.decide.adjudication.fixtures import EMOTIONS, Bench, later
from tests.batch_fixtures import CastAtWork
from tests.underway import underway


@pytest.mark.django_db(transaction=True)
def test_a_first_decision_is_not_undone_while_the_second_is_being_made(work: CastAtWork) -> None:
    bench = Bench(work, n_items=1)
    (item,) = bench.items
    bench.plan(second_share=1.0)
    bench.disagree(item)
    first = bench.decide(item, bench.cast.rosa, EMOTIONS)
    with (
        underway(lambda: bench.decide(item, bench.cast.ravi, minutes=5)),
        pytest.raises(CannotBeUndone),
    ):
        undo(decision=first, actor=bench.cast.rosa, now=later(6))
    standing = current_decision_for(item)
    assert (bool(standing.first), bool(standing.second)) == (True, True)


@pytest.mark.django_db(transaction=True)
def test_a_second_decision_is_not_made_while_the_first_is_being_undone(work: CastAtWork) -> None:
    bench = Bench(work, n_items=1)
    (item,) = bench.items
    bench.plan(second_share=1.0)
    bench.disagree(item)
    first = bench.decide(item, bench.cast.rosa, EMOTIONS)
    draft = Draft(bench.answer(item))
    with (
        underway(lambda: undo(decision=first, actor=bench.cast.rosa, now=later(5))),
        pytest.raises(DecidedMeanwhile, match="took the decision on this item back"),
    ):
        decide(
            item=item,
            draft=draft,
            actor=bench.cast.ravi,
            decision_round=DecisionRound.SECOND,
            expected_number=0,
            now=later(6),
        )
    assert current_decision_for(item).second is None


@pytest.mark.django_db(transaction=True)
def test_a_discussion_that_somebody_settles_meanwhile_is_left_as_they_settled_it(work: CastAtWork) -> None:
    bench = Bench(work, n_items=1)
    (item,) = bench.items
    bench.all_say(item, [EMOTIONS], [], [], flag="Is it?")
    discussion = Discussion.objects.get()
    with underway(
        lambda: settle(discussion=discussion, actor=bench.cast.ravi, reason="Talked it over.", now=later(0))
    ):
        decision = bench.decide(item, bench.cast.rosa, EMOTIONS, reason="It is.", settles=True, minutes=5)
    discussion.refresh_from_db()
    assert (discussion.reason, decision.settled.count()) == ("Talked it over.", 0)
