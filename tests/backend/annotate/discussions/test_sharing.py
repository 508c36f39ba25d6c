"""Nobody learns what another thinks of an item before having judged it."""

from __future__ import annotations

import pytest

from backend.annotate.batches.models import BatchState
from backend.annotate.discussions import errors
from backend.annotate.discussions.models import Discussion
from backend.annotate.discussions.selectors import discussions_for, still_blind
from backend.annotate.discussions.services import reply, share_with_team, unshare
from backend.core.studies.models import Event
from tests.backend.annotate.discussions.desk import Desk, minutes
from tests.cast import NOW


def seen_by(desk: Desk, name: str) -> list[Discussion]:
    return list(discussions_for(getattr(desk.cast, name), desk.cast.study))


def share(desk: Desk, discussion: Discussion) -> None:
    share_with_team(discussion=discussion, actor=desk.cast.rosa, now=minutes(1))


@pytest.fixture
def flagged(desk: Desk) -> Discussion:
    return desk.flagged(desk.cast.amal, desk.item("one"), desk.batch())


def test_researchers_see_all_and_annotators_their_own(desk: Desk, flagged: Discussion) -> None:
    seen = {name: len(seen_by(desk, name)) for name in ("rosa", "ravi", "ada", "amal", "bea", "otto")}
    assert seen == {"rosa": 1, "ravi": 1, "ada": 1, "amal": 1, "bea": 0, "otto": 0}


def test_what_is_shared_is_read_and_answered_by_all_annotators(desk: Desk, flagged: Discussion) -> None:
    share(desk, flagged)
    assert seen_by(desk, "bea") == [flagged]
    reply(discussion=flagged, author=desk.cast.bea, body="I had this too.", now=minutes(2))
    unshare(discussion=flagged, actor=desk.cast.rosa, now=minutes(3))
    assert seen_by(desk, "bea") == []
    with pytest.raises(errors.NotForYou):
        reply(discussion=flagged, author=desk.cast.bea, body="And this?", now=minutes(4))


def test_sharing_waits_for_those_who_still_judge_the_item(desk: Desk, flagged: Discussion) -> None:
    work = desk.assign(flagged.assigned_item.assignment.batch, desk.cast.bea, flagged.assigned_item.item)
    with pytest.raises(errors.StillBlind, match="Bea still has this item to judge"):
        share(desk, flagged)
    desk.hand_in(work)
    share(desk, flagged)
    assert seen_by(desk, "bea") == [flagged]


@pytest.mark.parametrize("reason", ["closed", "withdrawn", "taken back"])
def test_work_that_nobody_will_do_does_not_stop_sharing(desk: Desk, flagged: Discussion, reason: str) -> None:
    other = desk.batch("Batch 2", state=BatchState.CLOSED if reason == "closed" else BatchState.PAUSED)
    work = desk.assign(other, desk.cast.bea, flagged.assigned_item.item)
    if reason != "closed":
        assert still_blind(flagged) == [desk.cast.bea]
    if reason == "withdrawn":
        work.assignment.withdrawn_at = NOW
        work.assignment.save()
    if reason == "taken back":
        work.taken_back_at = NOW
        work.save()
    assert still_blind(flagged) == []


def test_the_annotators_own_second_look_does_not_stop_sharing(desk: Desk, flagged: Discussion) -> None:
    desk.assign(desk.batch("Batch 2"), desk.cast.amal, flagged.assigned_item.item)
    assert still_blind(flagged) == []


def test_an_item_given_out_later_hides_what_was_shared_until_it_is_judged(
    desk: Desk, flagged: Discussion
) -> None:
    share(desk, flagged)
    work = desk.assign(desk.batch("Batch 2"), desk.cast.bea, flagged.assigned_item.item)
    assert seen_by(desk, "bea") == []
    assert seen_by(desk, "chen") == [flagged]
    with pytest.raises(errors.NotForYou):
        reply(discussion=flagged, author=desk.cast.bea, body="Hello", now=minutes(2))
    desk.hand_in(work)
    assert seen_by(desk, "bea") == [flagged]


def test_only_researchers_share(desk: Desk, flagged: Discussion) -> None:
    for change in (share_with_team, unshare):
        with pytest.raises(errors.ResearchersOnly):
            change(discussion=flagged, actor=desk.cast.amal, now=NOW)


def test_sharing_twice_is_sharing_once(desk: Desk, flagged: Discussion) -> None:
    share(desk, flagged)
    share_with_team(discussion=flagged, actor=desk.cast.rosa, now=minutes(9))
    flagged.refresh_from_db()
    assert flagged.shared_at == minutes(1)
    assert Event.objects.filter(summary__startswith="Shared with all annotators").count() == 1
