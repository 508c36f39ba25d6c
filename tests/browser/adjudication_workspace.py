"""What researchers do at the workspace of adjudication, for tests in a real browser."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from backend.decide.adjudication.models import Decision
from backend.design.codebooks.services import add_edition
from backend.design.samples.models import Item
from codebook.shipped import shipped_path
from tests.backend.decide.adjudication.fixtures import Bench
from tests.batch_fixtures import CastAtWork, made_items
from tests.cast import NOW, Cast


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def at_item(page: Page, item: Item) -> None:
    expect(page).to_have_url(re.compile(rf"/items/{item.item_id}(\?|$)"))
    expect(page.locator("tr[aria-current]")).to_have_count(1)
    page.wait_for_load_state()


def last_of(item: Item) -> Decision:
    decision = Decision.objects.filter(item=item).order_by("pk").last()
    assert decision is not None
    return decision


def bench_of(
    cast: Cast, codebook: str, *, n_items: int = 1, change: tuple[str, str] = ("evidence", "evidence")
) -> Bench:
    """The same people under another codebook, or under one that is changed a little."""
    path = shipped_path(codebook)
    edition = add_edition(
        study=cast.study,
        source=path.read_text().replace(*change),
        file_name=path.name,
        note="First",
        actor=cast.rosa,
        now=NOW,
    )
    items = made_items(cast.study, n_items)
    return Bench(CastAtWork(cast.study, cast.rosa, edition, items, cast), n_items=n_items)


def disputed(work: CastAtWork, n_items: int) -> Bench:
    """So many items, on each of which annotators disagree."""
    bench = Bench(work, n_items=n_items)
    for item in bench.items:
        bench.disagree(item)
    return bench


def open_item(page: Page, live_server: LiveServer, item: Item) -> None:
    page.goto(f"{live_server.url}/studies/{item.study.slug}/adjudication/items/{item.item_id}")
    at_item(page, item)


def tab_to(page: Page, target: Locator) -> None:
    """By the keyboard, as somebody does who knows no shortcut."""
    for _ in range(60):
        if target.evaluate("node => node === document.activeElement"):
            return
        press(page, "Tab")
    raise AssertionError("The tab key does not lead there.")
