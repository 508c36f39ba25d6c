"""Nobody learns what another thinks of an item before having judged it."""

from __future__ import annotations

import pytest

from backend.annotate.batches.models import BatchState
from backend.annotate.discussions import errors
from backend.annotate.discussions.models import Discussion
from backend.annotate.discussions.selectors import discussions_for, still_blind
from backend.annotate.discussions.services import reply, share_with_team, unshare
from backend.core.studies.models import Event
from tests.backend.annotate.discussions.fixtures import Bench, minutes
from tests.cast import NOW


def seen_by(bench: Bench, name: str) -> list[Discussion]:
    return list(discussions_for(getattr(bench.cast, name), bench.cast.study))


def share(bench: Bench, discussion: Discussion) -> None:
    share_with_team(discussion=discussion, actor=bench.cast.rosa, now=minutes(1))


@pytest.fixture
def flagged(bench: Bench) -> Discussion:
    return bench.flagged(bench.cast.amal, bench.item("one"), bench.batch())


def test_researchers_see_all_and_annotators_their_own(bench: Bench, flagged: Discussion) -> None:
    seen = {name: len(seen_by(bench, name)) for name in ("rosa", "ravi", "ada", "amal", "bea", "otto")}
    assert seen == {"rosa": 1, "ravi": 1, "ada": 1, "amal": 1, "bea": 0, "otto": 0}


def test_what_is_shared_is_read_and_answered_by_all_annotators(bench: Bench, flagged: Discussion) -> None:
    share(bench, flagged)
    assert seen_by(bench, "bea") == [flagged]
    reply(discussion=flagged, author=bench.cast.bea, body="I had this too.", now=minutes(2))
    unshare(discussion=flagged, actor=bench.cast.rosa, now=minutes(3))
    assert seen_by(bench, "bea") == []
    with pytest.raises(errors.NotForYou):
        reply(discussion=flagged, author=bench.cast.bea, body="And this?", now=minutes(4))


def test_sharing_waits_for_those_who_still_judge_the_item(bench: Bench, flagged: Discussion) -> None:
    work = bench.assign(flagged.assigned_item.assignment.batch, bench.cast.bea, flagged.assigned_item.item)
    with pytest.raises(errors.StillBlind, match="Bea still has this item to judge"):
        share(bench, flagged)
    bench.hand_in(work)
    share(bench, flagged)
    assert seen_by(bench, "bea") == [flagged]


@pytest.mark.parametrize("reason", ["closed", "withdrawn", "taken back"])
def test_work_that_nobody_will_do_does_not_stop_sharing(
    bench: Bench, flagged: Discussion, reason: str
) -> None:
    other = bench.batch("Batch 2", state=BatchState.CLOSED if reason == "closed" else BatchState.PAUSED)
    work = bench.assign(other, bench.cast.bea, flagged.assigned_item.item)
    if reason != "closed":
        assert still_blind(flagged) == [bench.cast.bea]
    if reason == "withdrawn":
        work.assignment.withdrawn_at = NOW
        work.assignment.save()
    if reason == "taken back":
        work.taken_back_at = NOW
        work.save()
    assert still_blind(flagged) == []


def test_the_annotators_own_second_look_does_not_stop_sharing(bench: Bench, flagged: Discussion) -> None:
    bench.assign(bench.batch("Batch 2"), bench.cast.amal, flagged.assigned_item.item)
    assert still_blind(flagged) == []


def test_an_item_given_out_later_hides_what_was_shared_until_it_is_judged(
    bench: Bench, flagged: Discussion
) -> None:
    share(bench, flagged)
    work = bench.assign(bench.batch("Batch 2"), bench.cast.bea, flagged.assigned_item.item)
    assert seen_by(bench, "bea") == []
    assert seen_by(bench, "chen") == [flagged]
    with pytest.raises(errors.NotForYou):
        reply(discussion=flagged, author=bench.cast.bea, body="Hello", now=minutes(2))
    bench.hand_in(work)
    assert seen_by(bench, "bea") == [flagged]


def test_only_researchers_share(bench: Bench, flagged: Discussion) -> None:
    for change in (share_with_team, unshare):
        with pytest.raises(errors.ResearchersOnly):
            change(discussion=flagged, actor=bench.cast.amal, now=NOW)


def test_sharing_twice_is_sharing_once(bench: Bench, flagged: Discussion) -> None:
    share(bench, flagged)
    share_with_team(discussion=flagged, actor=bench.cast.rosa, now=minutes(9))
    flagged.refresh_from_db()
    assert flagged.shared_at == minutes(1)
    assert Event.objects.filter(summary__startswith="Shared with all annotators").count() == 1
