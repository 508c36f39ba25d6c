"""The documentation in a browser: it fits, its search answers without a network, and the console is silent."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect
from pytest_django.fixtures import Settings

from tests.browser.conftest import Visit
from tests.browser.fitting import assert_fits
from tests.cast import Cast

# Long tables, long commands
WIDE = ("settings", "deploying")


def test_from_the_menu_to_an_answer(
    cast: Cast, logged_in: Visit, docs_site: Path, settings: Settings
) -> None:
    settings.DOCS_DIR = docs_site
    page = logged_in(cast.rosa)
    home = page.url
    page.locator("summary", has_text="Rosa").click()
    page.get_by_role("link", name="Documentation").click()
    expect(page).to_have_url(f"{home}docs/index.html")
    for name in ("index", *WIDE):
        page.goto(f"{home}docs/{name}.html")
        assert_fits(page, name)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_role("searchbox").fill("adaptive overlap")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Giving items to annotators: Adaptive overlap").click()
    expect(page.get_by_role("heading", name="Adaptive overlap")).to_be_in_viewport()
    page.get_by_role("link", name="Open Attune").click()
    expect(page).to_have_url(home)
