"""A discussion follows its flag, people answer in turn, and what was said stays."""

from __future__ import annotations

import threading

import pytest
from django.db import IntegrityError, connection, transaction

from backend.annotate.discussions import errors
from backend.annotate.discussions.models import Discussion, DiscussionState, Message
from backend.annotate.discussions.services import (
    LONGEST_MESSAGE,
    follow_flag,
    reopen,
    reply,
    settle,
    share_with_team,
)
from backend.core.studies.models import Event
from tests.backend.annotate.discussions.fixtures import Bench, minutes
from tests.cast import NOW

OPEN, WAITING, SETTLED, WITHDRAWN = (
    DiscussionState.OPEN,
    DiscussionState.WAITING,
    DiscussionState.SETTLED,
    DiscussionState.WITHDRAWN,
)


@pytest.fixture
def flagged(bench: Bench) -> Discussion:
    return bench.flagged(bench.cast.amal, bench.item("one"), bench.batch(), "Is this a request?")


def follow(discussion: Discussion, is_flagged: bool, comment: str = "", at: int = 1) -> Discussion:
    follow_flag(
        assigned_item=discussion.assigned_item, is_flagged=is_flagged, comment=comment, now=minutes(at)
    )
    discussion.refresh_from_db()
    return discussion


def bodies(discussion: Discussion) -> list[str]:
    return list(discussion.messages.values_list("body", flat=True))


def settled(discussion: Discussion, bench: Bench) -> Discussion:
    return settle(discussion=discussion, actor=bench.cast.rosa, reason="It is advice.", now=minutes(2))


def test_a_flag_opens_a_discussion_with_its_comment(flagged: Discussion, bench: Bench) -> None:
    (message,) = flagged.messages.all()
    assert (message.body, message.author, message.from_label_studio) == (
        "Is this a request?",
        bench.cast.amal,
        True,
    )
    assert (flagged.state, flagged.is_flagged, flagged.comment) == (OPEN, True, "Is this a request?")


def test_a_flag_without_comment_opens_a_discussion_without_message(bench: Bench) -> None:
    discussion = bench.flagged(bench.cast.amal, bench.item("one"), bench.batch(), "  ")
    assert (discussion.state, bodies(discussion)) == (OPEN, [])


def test_no_flag_opens_nothing(bench: Bench) -> None:
    assigned = bench.assign(bench.batch(), bench.cast.amal, bench.item("one"))
    follow_flag(assigned_item=assigned, is_flagged=False, comment="left over", now=NOW)
    assert not Discussion.objects.exists()


def test_more_in_the_comment_is_said_and_asks_again(flagged: Discussion, bench: Bench) -> None:
    settled(flagged, bench)
    follow(flagged, True, "Or is it seeking comfort?", at=3)
    assert flagged.state == OPEN
    assert bodies(flagged) == ["Is this a request?", "It is advice.", "Or is it seeking comfort?"]


def test_an_emptied_comment_says_nothing(flagged: Discussion, bench: Bench) -> None:
    settled(flagged, bench)
    follow(flagged, True, "")
    assert (flagged.state, flagged.comment, len(bodies(flagged))) == (SETTLED, "", 2)


def test_a_flag_taken_back_withdraws_what_is_not_settled(flagged: Discussion) -> None:
    assert follow(flagged, False).state == WITHDRAWN
    assert follow(flagged, True, "Is this a request?").state == OPEN
    assert len(bodies(flagged)) == 1


def test_a_settled_discussion_stays_settled_until_flagged_again(flagged: Discussion, bench: Bench) -> None:
    settled(flagged, bench)
    assert follow(flagged, True, "Is this a request?").state == SETTLED
    assert follow(flagged, False).state == SETTLED
    assert follow(flagged, False).state == SETTLED
    assert follow(flagged, True, "Is this a request?").state == OPEN


def test_following_the_same_flag_leaves_a_word_said_since_alone(flagged: Discussion, bench: Bench) -> None:
    follow(flagged, False)
    reply(discussion=flagged, author=bench.cast.amal, body="Still, why?", now=minutes(2))
    assert follow(flagged, False, at=3).state == OPEN


def test_replies_pass_the_turn(flagged: Discussion, bench: Bench) -> None:
    cast = bench.cast
    for author, state in ((cast.rosa, WAITING), (cast.amal, OPEN), (cast.ada, WAITING)):
        reply(discussion=flagged, author=author, body=" Yes. ", now=minutes(1))
        flagged.refresh_from_db()
        assert flagged.state == state
    assert bodies(flagged)[1:] == ["Yes."] * 3


def test_a_note_by_a_researcher_leaves_it_settled_and_an_annotators_doubt_does_not(
    flagged: Discussion, bench: Bench
) -> None:
    settled(flagged, bench)
    reply(discussion=flagged, author=bench.cast.ravi, body="Agreed.", now=minutes(3))
    flagged.refresh_from_db()
    assert flagged.state == SETTLED
    reply(discussion=flagged, author=bench.cast.amal, body="I do not follow.", now=minutes(4))
    flagged.refresh_from_db()
    assert flagged.state == OPEN


def test_only_whose_flag_it_is_can_doubt_what_is_settled(flagged: Discussion, bench: Bench) -> None:
    share_with_team(discussion=flagged, actor=bench.cast.rosa, now=NOW)
    settled(flagged, bench)
    reply(discussion=flagged, author=bench.cast.bea, body="I had the same.", now=minutes(3))
    flagged.refresh_from_db()
    assert (flagged.state, bodies(flagged)[-1]) == (SETTLED, "I had the same.")
    reply(discussion=flagged, author=bench.cast.amal, body="I do not follow.", now=minutes(4))
    reply(discussion=flagged, author=bench.cast.rosa, body="Why?", now=minutes(5))
    reply(discussion=flagged, author=bench.cast.bea, body="Nor do I.", now=minutes(6))
    flagged.refresh_from_db()
    assert flagged.state == OPEN


@pytest.mark.parametrize("name", ["bea", "otto"])
def test_who_may_not_see_it_cannot_reply(flagged: Discussion, bench: Bench, name: str) -> None:
    with pytest.raises(errors.NotForYou):
        reply(discussion=flagged, author=getattr(bench.cast, name), body="Hello", now=NOW)


@pytest.mark.parametrize(
    ("body", "error"), [(" \n\x00", errors.NothingSaid), ("a" * (LONGEST_MESSAGE + 1), errors.TooLong)]
)
def test_replies_say_something_of_bearable_length(
    flagged: Discussion, bench: Bench, body: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        reply(discussion=flagged, author=bench.cast.rosa, body=body, now=NOW)


def test_settling_keeps_reason_and_proposal(flagged: Discussion, bench: Bench) -> None:
    settle(
        discussion=flagged,
        actor=bench.cast.rosa,
        reason="A plain question is a request.",
        proposed_code="asking-advice",
        proposed_change="Say that a plain question counts.",
        now=minutes(2),
    )
    flagged.refresh_from_db()
    assert (flagged.state, flagged.settled_by, flagged.settled_at) == (SETTLED, bench.cast.rosa, minutes(2))
    assert (flagged.proposed_code, flagged.proposed_change) == (
        "asking-advice",
        "Say that a plain question counts.",
    )
    assert flagged.messages.get(settles=True).body == "A plain question is a request."


def test_reopening_undoes_settling_and_keeps_what_was_said(flagged: Discussion, bench: Bench) -> None:
    settled(flagged, bench)
    reopen(discussion=flagged, actor=bench.cast.ravi, now=minutes(3))
    flagged.refresh_from_db()
    assert (flagged.state, flagged.reason) == (OPEN, "It is advice.")
    assert bodies(flagged) == ["Is this a request?", "It is advice."]
    with pytest.raises(errors.NotSettled):
        reopen(discussion=flagged, actor=bench.cast.ravi, now=minutes(4))


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"reason": "  "}, errors.NoReason),
        ({"reason": "So.", "proposed_code": "asking-advice"}, errors.NoChangeProposed),
        ({"reason": "So.", "proposed_code": "nonsense", "proposed_change": "x"}, errors.NoSuchCode),
    ],
)
def test_settling_is_refused_without_what_it_needs(
    flagged: Discussion, bench: Bench, fields: dict[str, str], error: type[Exception]
) -> None:
    with pytest.raises(error):
        settle(discussion=flagged, actor=bench.cast.rosa, now=NOW, **fields)
    flagged.refresh_from_db()
    assert flagged.state == OPEN


def test_only_researchers_settle_and_reopen(flagged: Discussion, bench: Bench) -> None:
    for person in (bench.cast.amal, bench.cast.otto):
        with pytest.raises(errors.ResearchersOnly):
            settle(discussion=flagged, actor=person, reason="Mine.", now=NOW)
        with pytest.raises(errors.ResearchersOnly):
            reopen(discussion=flagged, actor=person, now=NOW)


def test_what_is_settled_is_not_settled_over(flagged: Discussion, bench: Bench) -> None:
    settled(flagged, bench)
    with pytest.raises(errors.AlreadySettled, match="Rosa"):
        settle(discussion=flagged, actor=bench.cast.ravi, reason="Otherwise.", now=NOW)


def test_nobody_rewrites_what_was_said(flagged: Discussion) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Message.objects.filter(discussion=flagged).update(body="Something else")
    assert bodies(flagged) == ["Is this a request?"]


def test_everything_leaves_a_line_in_the_history_and_no_text(flagged: Discussion, bench: Bench) -> None:
    reply(discussion=flagged, author=bench.cast.rosa, body="Secret words", now=minutes(1))
    settled(flagged, bench)
    reopen(discussion=flagged, actor=bench.cast.rosa, now=minutes(3))
    follow(flagged, False, at=4)
    lines = list(
        Event.objects.filter(study=bench.cast.study).order_by("pk").values_list("summary", flat=True)
    )
    assert [line.rpartition(" ")[0] for line in lines[-5:]] == [
        "Flagged item",
        "Replied in the discussion of item",
        "Settled the discussion of item",
        "Re-opened the discussion of item",
        "Took back the flag on item",
    ]
    assert not any("Secret" in line or "advice" in line for line in lines[-5:])


@pytest.mark.django_db(transaction=True)
def test_a_flag_followed_by_many_at_once_opens_one_discussion(bench: Bench) -> None:
    assigned = bench.assign(bench.batch(), bench.cast.amal, bench.item("one"))
    start, problems = threading.Barrier(4), list[Exception]()

    def work() -> None:
        start.wait()
        try:
            follow_flag(assigned_item=assigned, is_flagged=True, comment="Hm", now=NOW)
        except Exception as problem:
            problems.append(problem)
        connection.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert bodies(Discussion.objects.get()) == ["Hm"]
    assert Event.objects.filter(summary__startswith="Flagged item").count() == 1
