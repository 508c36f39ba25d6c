"""An annotator pastes a post and a reply, reads what the model says, and tries again with a better reply."""

from __future__ import annotations

from urllib.parse import urljoin

import pytest
from playwright.sync_api import expect

from tests.backend.publish.feedback import fixtures
from tests.backend.publish.feedback.fixtures import Bench
from tests.browser.conftest import Visit
from tests.ml_backend.fixtures import HOPEFUL, PLAIN

pytestmark = pytest.mark.slow
learned, served, bench = fixtures.learned, fixtures.served, fixtures.bench


@pytest.mark.parametrize("width", [1440, 390])
def test_a_reply_is_tried_and_made_better(bench: Bench, logged_in: Visit, width: int) -> None:
    bench.put_in_service(bench.practices)
    page = logged_in(bench.cast.amal)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(urljoin(page.url, "/studies/kind-words/feedback"))
    page.locator("#id_post").fill(f"Well, 7 of us met. I mean {HOPEFUL}. Thank you.")
    page.locator("#id_reply").fill(f"Hello number 7. I say {PLAIN}. Good night!")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    # The first question loads the model.
    expect(page.get_by_text("A model says this, and it may err")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("5 of 5 not answered.")).to_be_visible()
    expect(page.locator("mark.span").first).to_be_visible()
    advice = page.locator("#answer-asking-advice-offering-advice")
    expect(advice).to_contain_text("In your place I would put it in writing today.")
    comfort = page.locator("#answer-seeking-emotional-support-offering-reassurance")
    comfort.locator("summary").click()
    expect(comfort.get_by_text("You have got this, one step at a time.")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # What was pasted is still there to be changed.
    page.locator("#id_reply").fill(f"Hello number 7. I say {HOPEFUL}. Good night!")
    page.get_by_role("button", name="Analyse").click()
    expect(page.get_by_text("Nothing is left open that the model can see.")).to_be_visible()
