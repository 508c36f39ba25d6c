"""Annotators see their own practice, researchers everybody's; gold never shows before its item is submitted."""

from __future__ import annotations

import pytest
from django.test import Client
from lxml import html

from annotation.answers import Span
from backend.annotate.batches.models import Assignment, BatchKind, BatchState
from backend.annotate.judgments.models import Quarantined, SubmissionState
from backend.annotate.practice.entries import CodeEntry, GoldEntry
from backend.core.accounts.models import User
from codebook.schema import Part
from tests.backend.annotate.practice.fixtures import (
    Practice,
    add_gold,
    add_item,
    in_order,
    submission_of,
    version_of,
    with_value,
)

SECRET = "only the gold knows"
STUDY = "/studies/kind-words"


def asked_by(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def address(assignment: Assignment, rest: str = "") -> str:
    return f"{STUDY}/work/{assignment.pk}/feedback{rest}"


def page(client: Client, where: str) -> str:
    answer = client.get(where)
    assert answer.status_code == 200
    return answer.content.decode()


def hide_secrets(practice: Practice) -> None:
    """Gold in which every reason, remark and quote can be told from everything else."""
    for number, item in enumerate(practice.items):
        code = CodeEntry(ticked=True, quotes=("cried",), why=f"{SECRET} why {number}")
        entry = GoldEntry({"sharing-emotions": code}, remark=f"{SECRET} remark {number}")
        add_gold(practice.cast, item, practice.edition, entry)


def test_nothing_of_gold_leaks_before_its_item_is_submitted(practice: Practice) -> None:
    hide_secrets(practice)
    amal = asked_by(practice.cast.amal)
    everywhere = [
        address(practice.amal),
        address(practice.amal, "/news"),
        f"{STUDY}/work",
        f"{STUDY}/codebook",
        "/",
    ]
    for where in everywhere:
        assert SECRET not in amal.get(where, follow=True).content.decode(), where
    practice.submit(practice.amal, 1, practice.gold(1))
    submission_of(practice.place(practice.amal, 2), number=2, state=SubmissionState.SKIPPED)
    place = practice.place(practice.amal, 0)
    Quarantined.objects.create(version=version_of(place), assigned_item=place, problems=[], is_fixable=True)
    for where in everywhere[:2]:
        shown = page(amal, where)
        assert f"{SECRET} why 1" in shown
        assert f"{SECRET} remark 1" in shown
        assert shown.count(SECRET) == 2
        assert "cried" in shown


def test_gold_is_closed_to_annotators_and_outsiders(practice: Practice) -> None:
    hide_secrets(practice)
    closed = [
        f"{STUDY}/gold",
        f"{STUDY}/gold/item-1",
        f"{STUDY}/gold/choose",
        f"{STUDY}/gold/import",
        f"{STUDY}/batches/{practice.batch.pk}/practice",
        "/api/v1/studies/kind-words/gold",
        "/api/v1/studies/kind-words/gold/item-1",
    ]
    for where in closed:
        for user, status in ((practice.cast.amal, 403), (practice.cast.otto, 404)):
            answer = asked_by(user).get(where)
            assert answer.status_code == status, where
            assert SECRET not in answer.content.decode()


@pytest.mark.parametrize("rest", ["", "/news"])
def test_annotators_see_their_own_practice_only(practice: Practice, rest: str) -> None:
    practice.submit(practice.amal, 0, practice.gold(0))
    cast = practice.cast
    assert asked_by(cast.amal).get(address(practice.amal, rest)).status_code == 200
    assert asked_by(cast.rosa).get(address(practice.amal, rest)).status_code == 200
    assert asked_by(cast.bea).get(address(practice.amal, rest)).status_code == 404
    assert asked_by(cast.chen).get(address(practice.amal, rest)).status_code == 404
    assert asked_by(cast.otto).get(address(practice.amal, rest)).status_code == 404
    elsewhere = address(practice.amal, rest).replace("kind-words", "elsewhere")
    assert asked_by(cast.otto).get(elsewhere).status_code == 404


@pytest.mark.parametrize("kind", [kind for kind in BatchKind if kind is not BatchKind.PRACTICE])
def test_other_kinds_of_batches_have_no_feedback(practice: Practice, kind: BatchKind) -> None:
    practice.submit(practice.amal, 0, practice.gold(0))
    practice.batch.kind = kind
    practice.batch.save()
    for user in (practice.cast.amal, practice.cast.rosa):
        assert asked_by(user).get(address(practice.amal)).status_code == 404
    results = f"{STUDY}/batches/{practice.batch.pk}/practice"
    assert asked_by(practice.cast.rosa).get(results).status_code == 404


def words(element: html.HtmlElement) -> str:
    return " ".join(" ".join(element.itertext()).split())


def tree_of(shown: str) -> html.HtmlElement:
    return html.document_fromstring(shown)


def test_what_differs_is_explained_from_the_codebook(practice: Practice) -> None:
    answers = with_value(practice.gold(0), "sharing-emotions", 0)
    practice.submit(practice.amal, 0, answers)
    shown = page(asked_by(practice.cast.amal), address(practice.amal))
    tree = tree_of(shown)
    assert "12 of 13 as the team sees it" in shown
    (differing,) = tree.find_class("diff--changed")
    assert "Sharing emotions Team: yes You: no" in words(differing)
    assert "A bodily sign." in words(differing)
    assert "A feeling is named as the poster's own." in words(differing)
    assert "“I feel” introduces an opinion." in words(differing)
    team, own = tree.find_class("sides")[1].findall("article")
    marked = [words(mark) for mark in team.iter("mark")]
    assert [text.rpartition("] ")[2] for text in marked] == ["cried", "What should I do?", "I am 42"]
    assert [mark.get("title") for mark in own.iter("mark")] == [
        "Asking for advice or opinions",
        "Sharing personal information",
    ]
    (item_form,) = tree.findall(
        f".//form[@action='{STUDY}/work/{practice.amal.pk}/enter']/input[@name='item']"
    )
    assert item_form.get("value") == str(practice.place(practice.amal, 0).pk)


def test_the_page_asks_for_news_and_gets_them_once(practice: Practice) -> None:
    amal = asked_by(practice.cast.amal)
    first = tree_of(page(amal, address(practice.amal)))
    news = str(first.get_element_by_id("report").get("hx-get"))
    assert amal.get(news).status_code == 204
    practice.submit(practice.bea, 0, practice.gold(0))
    assert amal.get(news).status_code == 204
    practice.submit(practice.amal, 0, practice.gold(0))
    fragment = tree_of(page(amal, news)).get_element_by_id("report")
    assert "All as the team sees it" in words(fragment)
    assert amal.get(str(fragment.get("hx-get"))).status_code == 204


def test_a_closed_batch_is_shown_and_asked_for_no_longer(practice: Practice) -> None:
    practice.submit(practice.amal, 0, practice.gold(0))
    practice.batch.state = BatchState.CLOSED
    practice.batch.save()
    shown = page(asked_by(practice.cast.amal), address(practice.amal))
    assert "hx-get" not in shown
    assert "/enter" not in shown
    assert "All as the team sees it" in shown


def test_the_end_is_announced_with_what_to_read_again(practice: Practice) -> None:
    for number in range(3):
        answers = practice.gold(number)
        practice.submit(practice.amal, number, with_value(answers, "asking-advice", 0))
    shown = page(asked_by(practice.cast.amal), address(practice.amal))
    assert "You have finished practice" in shown
    assert f"{STUDY}/codebook/editions/1#code-asking-advice" in shown
    of_rosa = page(asked_by(practice.cast.rosa), address(practice.amal))
    assert "Practice of Amal" in of_rosa
    assert "/enter" not in of_rosa


def test_texts_and_reasons_are_shown_and_never_run(practice: Practice) -> None:
    attack = "<script>alert(1)</script> & <img src=x onerror=alert(2)>"
    item = add_item(practice.cast, "item-9", title=attack, post=attack, reply=attack)
    code = CodeEntry(ticked=True, quotes=(attack,), why=attack)
    add_gold(practice.cast, item, practice.edition, GoldEntry({"sharing-emotions": code}, remark=attack))
    for assignment in (practice.amal, practice.bea):
        assignment.assigned_items.create(item=item, position=9)
    given = Span("sharing-emotions", Part.POST, 3, len(attack) - 2)
    scene = Practice(practice.cast, practice.edition, (item,), practice.batch, practice.amal, practice.bea)
    answers = with_value(scene.gold(0), "sharing-emotions", 1, given)
    scene.submit(practice.amal, 0, in_order(practice.codebook, item, answers))
    missed = with_value(scene.gold(0), "sharing-emotions", 0)
    scene.submit(practice.bea, 0, missed)
    rosa = asked_by(practice.cast.rosa)
    places = [
        address(practice.amal),
        address(practice.bea),
        f"{STUDY}/gold",
        f"{STUDY}/gold/item-9",
        f"{STUDY}/batches/{practice.batch.pk}/practice",
    ]
    for where in places:
        shown = page(rosa, where)
        assert "<script>alert" not in shown, where
        assert "<img src=x" not in shown, where
    assert page(rosa, places[0]).count("&lt;script&gt;") >= 4


def test_researchers_see_everybody_on_one_page(practice: Practice) -> None:
    practice.submit(practice.amal, 0, practice.gold(0), edits=1)
    tree = tree_of(page(asked_by(practice.cast.rosa), f"{STUDY}/batches/{practice.batch.pk}/practice"))
    people, codes = tree.findall(".//table")
    rows = [words(row) for row in people.iterfind(".//tbody/tr")]
    assert rows == ["Amal 1 of 3 13 of 13 100% 13 of 13 1 –", "Bea 0 of 3 – – – 0 –"]
    assert len(codes.findall(".//tbody/tr")) == 13
