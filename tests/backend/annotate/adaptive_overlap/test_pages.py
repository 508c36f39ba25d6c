"""A researcher plans an adaptive overlap, and sees on its page and in a call which items are sure."""

from __future__ import annotations

from typing import Any

from django.test import Client
from lxml import html

from backend.annotate.adaptive_overlap.services import ask_again
from tests.backend.annotate.adaptive_overlap.fixtures import adaptive
from tests.cast import NOW, Cast

HERE = "/studies/kind-words/batches"


def words(content: bytes) -> str:
    page: Any = html.fromstring(content)
    return " ".join(page.text_content().split())


def test_the_plan_shows_what_it_may_cost(ready: Cast) -> None:
    client = Client()
    client.force_login(ready.rosa)
    asked = {"name": "Batch 1", "samples": ["Main"], "n": "20", "start_with": "2", "at_most": "3"}
    sent = asked | {"sure_at": "0.9", "annotators": ["amal", "bea", "chen"], "seed": "7"}
    shown = words(client.post(f"{HERE}/new?kind=adaptive", sent).content)
    assert "20 items, 40 answers to give to begin with" in shown
    assert "60 answers at most" in shown
    few = sent | {"annotators": ["amal", "bea"]}
    assert "choose more people" in words(client.post(f"{HERE}/new?kind=adaptive", few).content)


def test_the_page_and_the_call_tell_where_items_are(ready: Cast) -> None:
    batch = adaptive(ready)
    batch.answer_first(split=batch.split[:1])
    ask_again(batch.batch, now=NOW)
    client = Client()
    client.force_login(ready.rosa)
    shown = words(client.get(f"{HERE}/{batch.batch.pk}").content)
    assert "Sure 9 Nobody else is asked." in shown
    assert "Waiting for an answer 1" in shown
    called = client.get(f"/api/v1/studies/kind-words/batches/{batch.batch.pk}/adaptive-overlap").json()
    assert (called["n_items"], called["answers"], called["asked_again"]) == (10, 21, 1)
    assert called["items"]["asked"] == batch.split[:1]
    client.force_login(ready.amal)
    for path in (
        f"{HERE}/{batch.batch.pk}",
        f"/api/v1/studies/kind-words/batches/{batch.batch.pk}/adaptive-overlap",
    ):
        assert client.get(path).status_code in (403, 404)
