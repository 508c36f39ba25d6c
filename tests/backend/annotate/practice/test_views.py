"""Researchers write, import, carry over and delete gold in the browser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from lxml import html

from backend.annotate.batches.candidates import golden_items
from backend.annotate.practice.models import GoldAnswer
from backend.core.accounts.models import User
from backend.design.codebooks.services import add_edition
from backend.design.corpora.models import Corpus
from codebook.shipped import shipped_path
from corpus.sampling.designs import UniformPairs
from tests.backend.annotate.practice.fixtures import GOLD, Practice, add_codebook, add_gold, add_item
from tests.backend.annotate.practice.reading import gold_of, reasons_of
from tests.cast import NOW, Cast
from tests.demo_corpus import draw_demo

HERE = "/studies/kind-words/gold"
SENT = {
    "value-asking-advice": "on",
    "quotes-asking-advice": "What should I do?\n",
    "why-asking-advice": "A question to readers.",
    "remark": "Twice.",
}


class Browser:
    """Follows where it is led, and reads the page that it gets to."""

    def __init__(self, user: User) -> None:
        self.client = Client()
        self.client.force_login(user)

    def page(self, where: str) -> html.HtmlElement:
        answer = self.client.get(where)
        assert answer.status_code == 200
        return html.document_fromstring(answer.content.decode())

    def read(self, where: str) -> str:
        return _words(self.page(where))

    def send(self, where: str, fields: Mapping[str, Any] | None = None) -> str:
        answer = self.client.post(where, dict(fields or {}), follow=True)
        assert answer.status_code == 200
        return _words(html.document_fromstring(answer.content.decode()))

    def upload(self, source: bytes, name: str = "gold.yaml") -> str:
        return self.send(f"{HERE}/import", {"file": SimpleUploadedFile(name, source)})


def _words(page: html.HtmlElement) -> str:
    return " ".join(" ".join(page.itertext()).split())


@pytest.fixture
def rosa(cast: Cast) -> Browser:
    return Browser(cast.rosa)


def test_each_stage_explains_what_comes_next(cast: Cast, rosa: Browser, demo_corpus: Corpus) -> None:
    assert "The codebook comes first" in rosa.read(HERE)
    assert "The codebook comes first" in rosa.read(f"{HERE}/import")
    edition = add_codebook(cast)
    assert "Draw one first" in rosa.read(HERE)
    assert rosa.client.get(f"{HERE}/choose").status_code == 302
    draw_demo(demo_corpus, "Pairs", UniformPairs(n=1), cast.rosa)
    assert "No gold answer yet" in rosa.read(HERE)
    item = cast.study.items.all()[0]
    assert item.item_id in rosa.client.get(f"{HERE}/choose").content.decode()
    rosa.send(f"{HERE}/{item.item_id}", {"remark": "Nothing is there."})
    assert gold_of(item, edition) is not None
    assert item.item_id not in rosa.client.get(f"{HERE}/choose").content.decode()
    assert "1 item with gold" in rosa.read(HERE)


def test_gold_is_written_in_the_form_and_found_there_again(cast: Cast, rosa: Browser) -> None:
    edition, item = add_codebook(cast), add_item(cast)
    assert "The gold answer is saved." in rosa.send(f"{HERE}/item-1", SENT)
    gold, reasons = gold_of(item, edition), reasons_of(item, edition)
    assert gold is not None
    assert reasons is not None
    assert [judgment.code_id for judgment in gold.judgments if judgment.value] == ["asking-advice"]
    assert reasons.remark == "Twice."
    form = rosa.page(f"{HERE}/item-1")
    assert form.get_element_by_id("id_value-asking-advice").get("checked") is not None
    assert form.get_element_by_id("id_value-sharing-emotions").get("checked") is None
    assert (form.get_element_by_id("id_quotes-asking-advice").text or "").strip() == "What should I do?"


def test_problems_stand_in_the_form_and_nothing_is_lost(cast: Cast, rosa: Browser) -> None:
    add_codebook(cast)
    add_item(cast)
    shown = rosa.send(
        f"{HERE}/item-1", SENT | {"quotes-asking-advice": "Whatever", "value-sharing-emotions": "on"}
    )
    assert "2 problems below" in shown
    assert "“Whatever” is not in the post" in shown
    assert "“Sharing emotions” needs evidence" in shown
    assert "A question to readers." in shown
    assert not GoldAnswer.objects.exists()


def test_a_quote_that_occurs_twice_is_told(cast: Cast, rosa: Browser) -> None:
    add_codebook(cast)
    add_item(cast, post="Why? Oh why? Why?")
    shown = rosa.send(f"{HERE}/item-1", SENT | {"quotes-asking-advice": "Why?"})
    assert "occurs 2 times in the post; the first counts" in shown


def test_gold_is_deleted_after_a_question(practice: Practice, rosa: Browser) -> None:
    form = rosa.page(f"{HERE}/item-1")
    (button,) = form.findall(f".//form[@action='{HERE}/item-1/delete']/button")
    assert "Delete the gold answer" in str(button.get("data-confirm"))
    assert "close that batch first" in rosa.send(f"{HERE}/item-1/delete")
    practice.batch.delete()
    assert "is deleted" in rosa.send(f"{HERE}/item-1/delete")
    assert gold_of(practice.items[0], practice.edition) is None


def test_a_file_is_imported_or_explained(cast: Cast, rosa: Browser) -> None:
    edition = add_codebook(cast)
    add_item(cast)
    assert "1 added" in rosa.upload(b"item-1: {codes: {asking-advice: {quotes: ['What should I do?']}}}")
    shown = rosa.upload(b"item-1: {}\nitem-7: {}\nitem-8: {code: 1}")
    assert "2 problems found" in shown
    assert "item-7 this study has no such item" in shown
    assert "not UTF-8" in rosa.upload(b"\xff\xfe")
    assert "ending" in rosa.upload(b"a", name="gold.txt")
    assert [item.item_id for item in golden_items(cast.study, edition)] == ["item-1"]


def test_gold_of_an_earlier_edition_is_carried_over(cast: Cast, rosa: Browser) -> None:
    first = add_codebook(cast)
    items = [add_item(cast, f"item-{number}") for number in (1, 2)]
    for item in items:
        add_gold(cast, item, first)
    source = (
        shipped_path("empathy-practices").read_text().replace("name: Sharing emotions", "name: Sharing moods")
    )
    second = add_edition(
        study=cast.study, source=source, file_name="c.yaml", note="Second", actor=cast.rosa, now=NOW
    )
    assert "Under an earlier edition" in rosa.read(HERE)
    prefilled = rosa.read(f"{HERE}/item-1")
    assert "Filled in from an earlier edition" in prefilled
    assert "A bodily sign." in prefilled
    rosa.send(f"{HERE}/carry-over", {"item": "item-1"})
    assert gold_of(items[0], second) == gold_of(items[0], first)
    assert gold_of(items[1], second) is None
    assert "Carried over to edition 2: 1." in rosa.send(f"{HERE}/carry-over")
    assert gold_of(items[1], second) is not None


def test_gold_that_needs_more_is_left_to_the_form(cast: Cast, rosa: Browser) -> None:
    first, item = add_codebook(cast), add_item(cast)
    add_gold(cast, item, first, GOLD)
    source = shipped_path("empathy-practices").read_text().replace("id: showing-interest", "id: showing-more")
    add_edition(study=cast.study, source=source, file_name="c.yaml", note="2", actor=cast.rosa, now=NOW)
    one = rosa.send(f"{HERE}/carry-over", {"item": "item-1"})
    assert "has no answer" in one
    assert "Left for you to complete: 1." in rosa.send(f"{HERE}/carry-over")


def test_items_that_are_not_there_are_missed(cast: Cast, rosa: Browser) -> None:
    add_codebook(cast)
    for where in (f"{HERE}/nowhere", f"{HERE}/choose?sample=999999"):
        assert rosa.client.get(where).status_code in (302, 404)
    assert rosa.client.post(f"{HERE}/nowhere/delete").status_code == 404
    assert rosa.client.post(f"{HERE}/carry-over", {"item": "nowhere"}).status_code == 404
