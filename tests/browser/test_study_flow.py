"""A researcher goes from nothing to drawn items, by mouse and by keyboard."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from corpus.demo import DEMO_FOLDER
from tests.browser.conftest import Visit, run_waiting_jobs
from tests.cast import Cast


def test_from_nothing_to_drawn_items(cast: Cast, logged_in: Visit) -> None:
    page = logged_in(cast.rosa)
    _start_a_study(page)
    _choose_a_codebook(page)
    _bring_in_a_dump(page)
    _draw_a_sample(page)
    study = page.url.split("/studies/")[1].split("/")[0]
    assert study == "gentle-answers"


def _start_a_study(page: Page) -> None:
    page.get_by_role("link", name="Start a study").click()
    page.get_by_label("Name").fill("Gentle answers")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Gentle answers")


def _choose_a_codebook(page: Page) -> None:
    page.get_by_text("Design", exact=True).click()
    page.get_by_role("navigation").get_by_role("link", name="Codebook").click()
    page.locator(".card", has_text="empathy").get_by_role("button", name="Use this").first.click()
    expect(page.get_by_role("heading", name="It applies when").first).to_be_visible()
    page.get_by_role("link", name="New edition").click()
    source = page.get_by_label("Or edit it here")
    expect(page.get_by_text("The codebook is sound")).to_be_visible()
    text = source.input_value()
    source.fill(text.replace("questions:", "questoins:", 1))
    expect(page.get_by_text("The codebook cannot be used as it is")).to_be_visible()
    source.fill(re.sub(r"(?m)^title: .*$", "title: A better title", text, count=1))
    expect(page.get_by_text("1 change against the edition in force")).to_be_visible()
    page.get_by_label("What changed, and why?").fill("The old title was misunderstood.")
    page.get_by_role("button", name="Freeze this edition").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("A better title")
    page.get_by_role("link", name="What changed").click()
    expect(page.locator("ins").first).to_be_visible()
    expect(page.get_by_text("The old title was misunderstood.")).to_be_visible()


def _bring_in_a_dump(page: Page) -> None:
    page.get_by_role("navigation").get_by_role("link", name="Corpora").click()
    page.get_by_role("link", name="New corpus").first.click()
    page.get_by_label("Name").fill("Offices")
    page.get_by_role("button", name="Make it").click()
    page.get_by_role("link", name="Import").first.click()
    for name in ("NineToFive.submissions.ndjson", "NineToFive.comments.ndjson"):
        page.get_by_label("File").set_input_files(DEMO_FOLDER / name)
        page.get_by_role("button", name="Upload").click()
        expect(page.get_by_text(f"“{name}” is uploaded.")).to_be_visible()
    page.get_by_role("group", name="Submissions").get_by_label("NineToFive.submissions").check()
    page.get_by_role("group", name="Comments").get_by_label("NineToFive.comments").check()
    page.get_by_label("Cut-off").fill("2023-01-01")
    page.get_by_role("button", name="Start the import").click()
    expect(page.get_by_text("Waiting for a worker.")).to_be_visible()
    run_waiting_jobs()
    expect(page.get_by_text("21 posts and 60 replies of NineToFive")).to_be_visible()
    page.get_by_role("link", name="See the result").click()
    expect(page.get_by_role("heading", name="What was left out")).to_be_visible()
    page.locator("svg [data-tip]").first.hover()
    expect(page.get_by_role("status").filter(has_text="NineToFive")).to_be_visible()


def _draw_a_sample(page: Page) -> None:
    page.get_by_role("link", name="Draw a sample").click()
    page.get_by_label("Name").fill("First look")
    page.get_by_label("How many from each community").fill("5000")
    page.get_by_role("button", name="Show what this draws").click()
    expect(page.get_by_text("fewer than the 5,000 asked for")).to_be_visible()
    page.get_by_label("How many from each community").fill("9")
    page.get_by_role("button", name="Show what this draws").click()
    expect(page.get_by_text("9 items.")).to_be_visible()
    page.get_by_role("button", name="Draw", exact=True).click()
    page.wait_for_url("**/jobs/*")
    run_waiting_jobs()
    page.get_by_role("link", name="See the result").click()
    page.locator("tbody a").first.click()
    expect(page.get_by_role("heading", name="How it was drawn")).to_be_visible()
    page.wait_for_load_state()
    first = page.url
    page.keyboard.press("j")
    page.wait_for_url(lambda url: url != first)
    expect(page.get_by_role("heading", name="How it was drawn")).to_be_visible()
    page.keyboard.press("k")
    page.wait_for_url(first)


def test_a_failed_job_says_why_and_can_be_tried_again(cast: Cast, logged_in: Visit) -> None:
    page = logged_in(cast.rosa)
    page.goto(f"{page.url}studies/kind-words/corpora/new")
    page.get_by_label("Name").fill("Broken")
    page.get_by_role("button", name="Make it").click()
    page.get_by_role("link", name="Import").first.click()
    page.get_by_label("File").set_input_files(
        {"name": "broken.ndjson", "mimeType": "application/jsonl", "buffer": b'{"id": \n'}
    )
    page.get_by_role("button", name="Upload").click()
    page.get_by_role("group", name="Submissions").get_by_label("broken").check()
    page.get_by_role("button", name="Start the import").click()
    page.wait_for_url("**/jobs/*")
    run_waiting_jobs()
    expect(page.get_by_text("It did not work")).to_be_visible()
    expect(page.get_by_text("line 1").first).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("The job is back in the queue.")).to_be_visible()
