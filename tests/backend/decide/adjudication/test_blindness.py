"""Whoever makes the second decision does not learn of the first one, by no page, call or export, until it is made."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from backend.annotate.discussions.models import Discussion, DiscussionState
from backend.annotate.discussions.services import reply
from backend.core.accounts.models import User
from backend.decide.adjudication.current_decision import CurrentDecision
from backend.decide.adjudication.errors import (
    CannotBeUndone,
    DecidedMeanwhile,
    OnlyByItsAuthor,
)
from backend.decide.adjudication.models import Decision, DecisionRound, Way
from backend.decide.adjudication.queue import Reason, queue_for
from backend.decide.adjudication.rounds import rounds_agreement
from backend.decide.adjudication.selectors import current_decision_for, due_rounds, final_decisions
from backend.decide.adjudication.services import Draft, decide, restore, undo
from backend.design.samples.models import Item
from tests.backend.decide.adjudication.fixtures import ADVICE, EMOTIONS, Bench, later

SECRET = "Because the word lost is a feeling to me"


@pytest.fixture
def twice(bench: Bench) -> Bench:
    """Every item is decided twice; Rosa has decided the first one."""
    bench.plan(second_share=1.0)
    bench.disagree(bench.items[0])
    bench.decide(bench.items[0], bench.cast.rosa, EMOTIONS, reason=SECRET)
    return bench


def answers_seen_by(user: User, item: Item) -> dict[str, str]:
    """Everything that this person can read of the item, by address."""
    client = Client()
    client.force_login(user)
    slug = item.study.slug
    api = f"/api/v1/studies/{slug}/adjudication"
    addresses = [
        reverse("adjudication:item", args=[slug, item.item_id]),
        reverse("adjudication:queue", args=[slug]),
        reverse("adjudication:settled", args=[slug]),
        reverse("overview:study", args=[slug]),
        reverse("discussions:list", args=[slug]),
        f"{api}/queue",
        f"{api}/items/{item.item_id}",
        f"{api}/items/{item.item_id}/decisions",
        f"{api}/decisions",
    ]
    found = {}
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code == 200, address
        found[address] = b"".join(answer).decode()
    return found


def test_nothing_of_the_first_decision_leaks(twice: Bench) -> None:
    item = twice.items[0]
    for address, seen in answers_seen_by(twice.cast.ravi, item).items():
        assert SECRET not in seen, address
        assert "Written by the researcher" not in seen, address
        assert '"way":"written"' not in seen.replace(" ", ""), address
    assert any(SECRET in seen for seen in answers_seen_by(twice.cast.rosa, item).values())


def test_even_an_admin_could_be_the_second(twice: Bench) -> None:
    seen = answers_seen_by(twice.cast.ada, twice.items[0])
    assert not any(SECRET in page for page in seen.values())


def test_the_export_withholds_the_row_and_not_its_existence(twice: Bench) -> None:
    client = Client()
    client.force_login(twice.cast.ravi)
    answer = client.get(f"/api/v1/studies/{twice.study.slug}/adjudication/decisions")
    row = json.loads(b"".join(answer))
    assert (row["withheld"], row["author"], row["way"], row["reason"], row["answers"]) == (
        True,
        "rosa",
        None,
        None,
        None,
    )


def test_only_another_researcher_is_asked(twice: Bench) -> None:
    assert [entry.points for entry in queue_for(twice.cast.rosa, twice.study).entries] == []
    assert queue_for(twice.cast.rosa, twice.study).with_others == 1
    (entry,) = queue_for(twice.cast.ravi, twice.study).entries
    assert entry.points == {Reason.SECOND: 1, Reason.DISAGREEMENT: 1}
    assert due_rounds(twice.study) == {twice.items[0].pk: DecisionRound.SECOND}
    assert final_decisions(twice.study) == {}


def test_an_equal_second_makes_the_first_final(twice: Bench) -> None:
    item = twice.items[0]
    twice.decide(item, twice.cast.ravi, EMOTIONS, minutes=5)
    first = Decision.objects.get(decision_round=DecisionRound.FIRST)
    assert final_decisions(twice.study) == {item.pk: first}
    agreement = rounds_agreement(twice.study)
    assert (agreement.items, agreement.share) == (1, 1.0)
    assert any(SECRET in page for page in answers_seen_by(twice.cast.ravi, item).values())


def test_a_differing_second_is_reconciled_by_anybody(twice: Bench) -> None:
    item = twice.items[0]
    twice.decide(item, twice.cast.ravi, minutes=5)
    assert due_rounds(twice.study) == {item.pk: DecisionRound.RECONCILING}
    for person in (twice.cast.rosa, twice.cast.ravi):
        (entry,) = queue_for(person, twice.study).entries
        assert entry.points == {Reason.RECONCILE: 1}
        assert entry.codes == {EMOTIONS}
    third = twice.decide(item, twice.cast.rosa, EMOTIONS, minutes=9)
    assert third.decision_round == DecisionRound.RECONCILING
    assert final_decisions(twice.study) == {item.pk: third}
    assert rounds_agreement(twice.study).share == pytest.approx(12 / 13)


def test_a_second_cannot_be_taken_back_because_it_showed_the_first(twice: Bench) -> None:
    item = twice.items[0]
    second = twice.decide(item, twice.cast.ravi, minutes=5)
    for decision in Decision.objects.filter(decision_round__in=[DecisionRound.FIRST, DecisionRound.SECOND]):
        with pytest.raises(CannotBeUndone):
            undo(decision=decision, actor=twice.cast.ravi, now=later(9))
    assert current_decision_for(item).second is not None
    assert second.decision_round == DecisionRound.SECOND


def test_only_its_author_undoes_or_restores_a_first_decision_that_is_still_secret(twice: Bench) -> None:
    first = Decision.objects.get()
    with pytest.raises(OnlyByItsAuthor):
        undo(decision=first, actor=twice.cast.ravi, now=later(5))
    undo(decision=first, actor=twice.cast.rosa, now=later(6))
    with pytest.raises(OnlyByItsAuthor):
        restore(decision=first, actor=twice.cast.ravi, expected_number=2, now=later(7))
    assert SECRET not in "".join(answers_seen_by(twice.cast.ravi, twice.items[0]).values())


def test_a_blind_conflict_tells_who_and_not_what(twice: Bench) -> None:
    """Ravi had the page open before Rosa decided: his answer becomes the second, and he learns nothing."""
    item = twice.items[0]
    draft = Draft(twice.answer(item, ADVICE))
    with pytest.raises(DecidedMeanwhile) as conflict:
        decide(
            item=item,
            draft=draft,
            actor=twice.cast.ravi,
            decision_round=DecisionRound.FIRST,
            expected_number=0,
            now=later(5),
        )
    assert SECRET not in str(conflict.value)
    assert conflict.value.told()["withheld"] is True
    assert "answers" not in conflict.value.told()
    second = decide(
        item=item,
        draft=draft,
        actor=twice.cast.ravi,
        decision_round=DecisionRound.SECOND,
        expected_number=0,
        now=later(6),
    )
    assert second.author == twice.cast.ravi


def test_a_first_reason_settles_the_discussion_only_once_an_equal_second_is_made(bench: Bench) -> None:
    item = bench.items[0]
    bench.plan(second_share=1.0)
    bench.all_say(item, [EMOTIONS], [], [], flag="Is it?")
    bench.decide(item, bench.cast.rosa, EMOTIONS, reason=SECRET, settles=True)
    discussion = Discussion.objects.get()
    assert discussion.state == DiscussionState.OPEN
    assert not any(SECRET in page for page in answers_seen_by(bench.cast.ravi, item).values())
    bench.decide(item, bench.cast.ravi, EMOTIONS, minutes=5)
    discussion.refresh_from_db()
    assert (discussion.state, discussion.reason) == (DiscussionState.SETTLED, SECRET)
    assert discussion.settled_by == bench.cast.rosa
    assert queue_for(bench.cast.rosa, bench.study).settled == 1


def test_what_two_do_not_agree_on_is_settled_by_who_reconciles(bench: Bench) -> None:
    item = bench.items[0]
    bench.plan(second_share=1.0)
    bench.all_say(item, [EMOTIONS], [], [], flag="Is it?")
    bench.decide(item, bench.cast.rosa, EMOTIONS, reason=SECRET, settles=True)
    bench.decide(item, bench.cast.ravi, reason="It is not.", settles=True, minutes=5)
    assert Discussion.objects.get().state == DiscussionState.OPEN
    bench.decide(item, bench.cast.ravi, reason="It is, after all.", settles=True, minutes=9)
    assert Discussion.objects.get().reason == "It is, after all."


def test_a_flag_that_came_after_the_wish_is_not_settled_unread(bench: Bench) -> None:
    item = bench.items[0]
    bench.plan(second_share=1.0)
    bench.all_say(item, [EMOTIONS], [], [], flag="Is it?")
    bench.decide(item, bench.cast.rosa, EMOTIONS, reason=SECRET, settles=True)
    reply(discussion=Discussion.objects.get(), author=bench.cast.amal, body="One more thing.", now=later(3))
    bench.decide(item, bench.cast.ravi, EMOTIONS, minutes=5)
    assert Discussion.objects.get().state == DiscussionState.OPEN
    assert [entry.points for entry in queue_for(bench.cast.rosa, bench.study).entries] == [{Reason.FLAG: 1}]


def test_a_page_does_not_tell_beforehand_which_items_are_decided_twice(bench: Bench) -> None:
    pages = []
    for share in (0.0, 1.0):
        bench.plan(second_share=share)
        bench.all_say(bench.items[0], [EMOTIONS], [], [], flag="Is it?")
        pages.append(answers_seen_by(bench.cast.rosa, bench.items[0]))
    address = reverse("adjudication:item", args=[bench.study.slug, bench.items[0].item_id])
    changing = r'CSRFToken": "\w+|csrfmiddlewaretoken" value="\w+|opened_at" value="[^"]+'
    told = [re.sub(changing, "", page[address]) for page in pages]
    assert 'name="settles"' in told[0]
    assert told[0] == told[1]


def test_what_was_seen_is_not_made_blind_by_another_plan(bench: Bench) -> None:
    seen, hidden = bench.items[:2]
    bench.disagree(seen)
    bench.disagree(hidden)
    bench.decide(seen, bench.cast.rosa, EMOTIONS, reason="For all to see.")
    bench.plan(second_share=1.0)
    assert current_decision_for(seen).round_for(bench.cast.ravi.pk) is DecisionRound.FIRST
    assert set(final_decisions(bench.study)) == {seen.pk}
    first = bench.decide(hidden, bench.cast.rosa, EMOTIONS, reason=SECRET)
    bench.plan(second_share=0.0)
    assert due_rounds(bench.study) == {hidden.pk: DecisionRound.SECOND}
    assert not any(SECRET in page for page in answers_seen_by(bench.cast.ravi, hidden).values())
    undo(decision=first, actor=bench.cast.rosa, now=later(3))
    assert current_decision_for(hidden).is_chosen


def test_reconciling_by_one_of_the_two_says_whose_it_was(twice: Bench) -> None:
    item = twice.items[0]
    twice.decide(item, twice.cast.ravi, minutes=5)
    third = twice.decide(item, twice.cast.rosa, minutes=9, way=Way.ACCEPTED, accepted_from=twice.cast.ravi)
    assert (third.way, third.accepted_from) == (Way.ACCEPTED, twice.cast.ravi)
    client = Client()
    client.force_login(twice.cast.rosa)
    page = client.get(reverse("adjudication:item", args=[twice.study.slug, item.item_id]))
    authors = [column.annotator_id for column in page.context["columns"]][3:]
    assert authors == [twice.cast.rosa.pk, twice.cast.ravi.pk]


def test_a_conflict_names_the_round_that_is_due(twice: Bench) -> None:
    item = twice.items[0]
    twice.decide(item, twice.cast.ravi, minutes=5)
    with pytest.raises(
        DecidedMeanwhile, match=r"decision_round 3 \(reconciling\) with 0 as the expected"
    ) as conflict:
        decide(
            item=item,
            draft=Draft(twice.answer(item)),
            actor=twice.cast.rosa,
            decision_round=DecisionRound.FIRST,
            expected_number=1,
            now=later(9),
        )
    due = conflict.value.told()["due"]
    assert due == {"decision_round": DecisionRound.RECONCILING, "expected_number": 0}
    client = Client()
    client.force_login(twice.cast.rosa)
    body = {f"value-{one.code_id}": str(one.value) for one in twice.answer(item).judgments}
    address = reverse("adjudication:item", args=[twice.study.slug, item.item_id])
    page = client.post(address, body | {"decision_round": "1", "expected_number": "1"})
    assert [column.label for column in page.context["columns"]][3:] == ["Rosa", "Ravi"]
    assert (page.context["decision_round"], page.context["expected_number"]) == (DecisionRound.RECONCILING, 0)


def test_a_second_without_a_first_is_hidden_too(twice: Bench) -> None:
    """It cannot come about any more; where it has, who makes the first must not see the second."""
    item = twice.items[0]
    second = twice.decide(item, twice.cast.ravi, reason="SECOND", minutes=5)
    steps = {step.decision_round: step for step in current_decision_for(item).last.values()}
    alone = CurrentDecision({DecisionRound.SECOND: steps[DecisionRound.SECOND]}, is_chosen=True)
    assert alone.hides_from(twice.cast.rosa.pk, DecisionRound.SECOND, second.author_id)
    assert not alone.hides_from(twice.cast.ravi.pk, DecisionRound.SECOND, second.author_id)


def test_the_share_is_kept_over_many_items(bench: Bench) -> None:
    bench.plan(second_share=0.5)
    for item in bench.items:
        bench.disagree(item)
        bench.decide(item, bench.cast.rosa, EMOTIONS)
    chosen = set(due_rounds(bench.study))
    assert chosen | set(final_decisions(bench.study)) == {item.pk for item in bench.items}
    assert 0 < len(chosen) < len(bench.items)
    bench.plan(second_share=1.0)
    assert chosen <= set(due_rounds(bench.study))
