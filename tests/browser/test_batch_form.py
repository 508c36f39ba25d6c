"""The form of a batch shows who gets what, and the browser has nothing to complain about."""

from __future__ import annotations

from urllib.parse import urljoin

from playwright.sync_api import expect

from tests.backend.annotate.batches.fixtures import add_codebook, add_sample
from tests.browser.conftest import Visit
from tests.browser.fitting import assert_fits
from tests.cast import Cast


def test_a_plan_is_shown_without_a_complaint(cast: Cast, logged_in: Visit) -> None:
    """Extensions, and people who drag a field larger, give elements a style, which our own policy lets nobody copy."""
    add_codebook(cast)
    add_sample(cast, "Main sample", range(12))
    page = logged_in(cast.rosa)
    page.goto(urljoin(page.url, "/studies/kind-words/batches/new?kind=overlap"))
    for _ in range(2):
        page.evaluate(
            "document.querySelectorAll('#planner [id]').forEach((each) => { each.style.width = '20rem'; })"
        )
        page.get_by_role("button", name="Show who gets what").click()
        expect(page.get_by_role("heading", name="Who gets what")).to_be_visible()
    page.wait_for_load_state("networkidle")


def test_an_adaptive_overlap_says_what_it_may_cost_and_then_where_it_is(cast: Cast, logged_in: Visit) -> None:
    add_codebook(cast)
    add_sample(cast, "Main", range(12))
    page = logged_in(cast.rosa)
    page.goto(urljoin(page.url, "/studies/kind-words/batches/new?kind=adaptive"))
    page.get_by_label("Answers in all").fill("30")
    page.get_by_role("button", name="Show who gets what").click()
    expect(page.get_by_text("30 answers at most")).to_be_visible()
    assert_fits(page, "the plan")
    page.get_by_role("button", name="Open the batch").click()
    expect(page.get_by_role("heading", name="Adaptive overlap")).to_be_visible()
    expect(page.get_by_role("row", name="Waiting for an answer 12")).to_be_visible()
    assert_fits(page, "the batch")
