"""Which items a flag keeps back, whose turn it is, and what the next edition should say."""

from __future__ import annotations

import pytest

from backend.annotate.discussions.models import Discussion, DiscussionState
from backend.annotate.discussions.selectors import (
    codes_of_study,
    counts_by_state,
    discussions_for,
    own_settled_since,
    proposals,
    unsettled_items,
    waiting_for,
)
from backend.annotate.discussions.services import follow_flag, reply, settle
from backend.annotate.judgments.models import Submission
from backend.core.studies.access import role_in
from tests.backend.annotate.discussions.fixtures import Bench, minutes
from tests.cast import NOW


@pytest.fixture
def flagged(bench: Bench) -> Discussion:
    return bench.flagged(bench.cast.amal, bench.item("one"), bench.batch())


def test_an_unsettled_flag_keeps_its_item_back(bench: Bench, flagged: Discussion) -> None:
    item, study = flagged.assigned_item.item, bench.cast.study
    bench.hand_in(bench.assign(bench.batch("Batch 2"), bench.cast.bea, bench.item("sure")))
    assert list(unsettled_items(study)) == [item]
    reply(discussion=flagged, author=bench.cast.rosa, body="Look again.", now=minutes(1))
    assert list(unsettled_items(study)) == [item]
    settle(discussion=flagged, actor=bench.cast.rosa, reason="Advice.", now=minutes(2))
    assert list(unsettled_items(study)) == []
    assert list(unsettled_items(bench.cast.other_study)) == []


def test_one_of_two_flags_is_enough(bench: Bench, flagged: Discussion) -> None:
    item = flagged.assigned_item.item
    bench.flagged(bench.cast.bea, item, flagged.assigned_item.assignment.batch)
    settle(discussion=flagged, actor=bench.cast.rosa, reason="Advice.", now=minutes(2))
    assert list(unsettled_items(bench.cast.study)) == [item]


def test_a_flag_taken_back_keeps_nothing_back(bench: Bench, flagged: Discussion) -> None:
    Submission.objects.update(is_flagged=False)
    follow_flag(assigned_item=flagged.assigned_item, is_flagged=False, comment="", now=NOW)
    assert list(unsettled_items(bench.cast.study)) == []


def test_a_flag_beside_an_unsound_answer_keeps_its_item_back_too(bench: Bench, flagged: Discussion) -> None:
    Submission.objects.all().delete()
    assert list(unsettled_items(bench.cast.study)) == [flagged.assigned_item.item]


def test_a_flag_that_nobody_followed_keeps_its_item_back_too(bench: Bench, flagged: Discussion) -> None:
    Discussion.objects.all().delete()
    assert list(unsettled_items(bench.cast.study)) == [flagged.assigned_item.item]


def test_whose_turn_it_is(bench: Bench, flagged: Discussion) -> None:
    cast = bench.cast

    def waiting() -> list[int]:
        people = (cast.rosa, cast.amal, cast.bea)
        return [waiting_for(person, cast.study, role_in(person, cast.study)).count() for person in people]

    assert waiting() == [1, 0, 0]
    reply(discussion=flagged, author=cast.rosa, body="What makes you doubt?", now=minutes(1))
    assert waiting() == [0, 1, 0]
    settle(discussion=flagged, actor=cast.rosa, reason="Advice.", now=minutes(2))
    assert waiting() == [0, 0, 0]


def test_ones_own_settled_flags_are_news_for_a_while(bench: Bench, flagged: Discussion) -> None:
    cast = bench.cast
    other = bench.flagged(cast.bea, bench.item("two"), bench.batch("Batch 2"))
    for number, discussion in enumerate((flagged, other)):
        settle(discussion=discussion, actor=cast.rosa, reason="Advice.", now=minutes(number))
    assert list(own_settled_since(cast.amal, cast.study, NOW)) == [flagged]
    assert list(own_settled_since(cast.amal, cast.study, minutes(1))) == []
    assert list(own_settled_since(cast.rosa, cast.study, NOW)) == []


def test_states_are_counted_even_when_empty(bench: Bench, flagged: Discussion) -> None:
    counts = counts_by_state(discussions_for(bench.cast.rosa, bench.cast.study))
    assert counts == {state: int(state == DiscussionState.OPEN) for state in DiscussionState}


def test_proposals_come_from_what_is_settled(bench: Bench, flagged: Discussion) -> None:
    other = bench.flagged(bench.cast.bea, bench.item("two"), bench.batch("Batch 2"))
    settle(discussion=other, actor=bench.cast.rosa, reason="Plain.", now=minutes(1))
    assert list(proposals(bench.cast.study)) == []
    settle(
        discussion=flagged,
        actor=bench.cast.rosa,
        reason="Unclear.",
        proposed_code=codes_of_study(bench.cast.study)[0].id,
        proposed_change="Say more.",
        now=minutes(2),
    )
    assert list(proposals(bench.cast.study)) == [flagged]
    reply(discussion=flagged, author=bench.cast.amal, body="No.", now=minutes(3))
    assert list(proposals(bench.cast.study)) == []
