"""In Chromium: feedback appears by itself, and gold can be written from selected words and keys alone."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from backend.core.accounts.models import User
from backend.design.samples.selectors import item_text
from tests.backend.annotate.practice.fixtures import (
    Practice,
    add_codebook,
    add_item,
    set_up_practice,
    with_value,
)
from tests.backend.annotate.practice.reading import gold_of
from tests.cast import Cast

pytestmark = pytest.mark.django_db(transaction=True)
SECONDS = 10_000


def visit(page: Page, server: LiveServer, user: User, where: str) -> list[str]:
    """Goes there logged in; what the console complains of is collected."""
    client = Client()
    client.force_login(user)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": server.url}])
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.goto(f"{server.url}/studies/kind-words/{where}")
    return complaints


@pytest.fixture
def scene(transactional_db: None, cast: Cast) -> Practice:
    return set_up_practice(cast)


def test_a_submission_appears_without_reloading(scene: Practice, page: Page, live_server: LiveServer) -> None:
    complaints = visit(page, live_server, scene.cast.amal, f"work/{scene.amal.pk}/feedback")
    expect(page.get_by_text("Nothing submitted yet")).to_be_visible()
    scene.submit(scene.amal, 0, with_value(scene.gold(0), "sharing-emotions", 0))
    expect(page.get_by_text("12 of 13 as the team sees it", exact=True)).to_be_visible(timeout=SECONDS)
    expect(page.get_by_text("A bodily sign.")).to_be_visible()
    fold = page.locator("details[id^='codebook-']").first
    fold.get_by_text("From the codebook").click()
    fold_id = fold.get_attribute("id")
    expect(fold).to_have_attribute("open", "")
    page.evaluate("window.stays = true")
    scene.submit(scene.amal, 1, scene.gold(1))
    expect(page.get_by_text("All as the team sees it")).to_be_visible(timeout=SECONDS)
    assert page.evaluate("window.stays") is True
    expect(page.locator(f"#{fold_id}")).to_have_attribute("open", "")
    expect(page.locator(f"#item-{scene.place(scene.amal, 0).pk}")).to_have_attribute("open", "")
    assert complaints == []


def test_gold_is_written_from_keys_and_selected_words(
    cast: Cast, page: Page, live_server: LiveServer
) -> None:
    edition, item = add_codebook(cast), add_item(cast)
    complaints = visit(page, live_server, cast.rosa, "gold/item-1")
    quotes = page.locator("#id_quotes-sharing-emotions")
    expect(quotes).to_be_hidden()
    page.keyboard.press("6")
    expect(quotes).to_be_visible()
    page.evaluate(
        """() => {
            const words = document.querySelector("[data-quote-source] .reading p").firstChild;
            const at = words.data.indexOf("cried");
            document.getSelection().setBaseAndExtent(words, at, words, at + 5);
        }"""
    )
    page.locator("#code-sharing-emotions [data-quote-into]").click()
    expect(quotes).to_have_value("cried")
    expect(quotes).to_be_focused()
    page.locator("#id_why-sharing-emotions").fill("A bodily sign.")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The gold answer is saved.")).to_be_visible()
    gold = gold_of(item, edition)
    assert gold is not None
    assert [item_text(item).words_of(span) for span in gold.spans] == ["cried"]
    assert complaints == []
