"""Every page of a living study, wide and narrow, light and dark: nothing overflows and the console is silent."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from backend.core.accounts.models import User
from backend.design.codebooks.services import add_edition
from backend.design.corpora.models import Corpus
from codebook.shipped import shipped_path
from corpus.sampling.designs import PpsPosts
from tests.browser.conftest import Visit
from tests.browser.fitting import assert_fits
from tests.cast import NOW, Cast
from tests.demo_corpus import draw_demo

RESEARCHER_PAGES = (
    "",
    "studies/new",
    "studies/kind-words",
    "studies/kind-words/edit",
    "studies/kind-words/members",
    "studies/kind-words/codebook",
    "studies/kind-words/codebook/history",
    "studies/kind-words/codebook/compare",
    "studies/kind-words/codebook/new",
    "studies/kind-words/codebook/editions/1/machine",
    "studies/kind-words/corpora",
    "studies/kind-words/corpora/texts",
    "studies/kind-words/corpora/texts/read",
    "studies/kind-words/corpora/texts/import/reddit",
    "studies/kind-words/files",
    "studies/kind-words/samples",
    "studies/kind-words/samples/new",
    "studies/kind-words/jobs",
    "studies/kind-words/gold-planner",
    "studies/kind-words/gold-planner?share=10&n_items=100000&recall=85&false_positives=5&width=4",
    "studies/kind-words/gold-planner?kappa=0.85&null=0.7&code_share=50&raters=2&kappa_width=0.2",
    "account",
    "style",
)


@pytest.fixture
def living_study(cast: Cast, demo_corpus: Corpus) -> Cast:
    source = shipped_path("empathy-practices").read_text()
    for number, text in enumerate(
        (source, source.replace("A question asks", "Some question asks", 1)), start=1
    ):
        add_edition(
            study=cast.study,
            source=text,
            file_name="c.yaml",
            note=f"Round {number}",
            actor=cast.rosa,
            now=NOW,
        )
    draw_demo(demo_corpus, "Main", PpsPosts(n=8), cast.rosa)
    return cast


def test_pages_fit(living_study: Cast, logged_in: Visit) -> None:
    page = logged_in(living_study.rosa)
    home = page.url
    sample = living_study.study.samples.get()
    first = sample.draws.select_related("item")[0].item.item_id
    addresses = (
        *RESEARCHER_PAGES,
        f"studies/kind-words/samples/{sample.pk}",
        f"studies/kind-words/items/{first}",
    )
    for address in addresses:
        response = page.goto(home + address)
        assert response is not None
        assert response.status == 200, address
        assert_fits(page, address)


def test_an_outsider_finds_a_helpful_nothing(living_study: Cast, page: Page, logged_in: Visit) -> None:
    home = _home(logged_in, living_study.otto)
    expect(page.get_by_text("Elsewhere")).to_be_visible()
    expect(page.get_by_text("Kind words")).to_have_count(0)
    page.goto(f"{home}account")
    answer = page.request.get(f"{home}studies/kind-words/samples")
    assert answer.status == 404
    assert "Kind words" not in answer.text()


def test_an_annotator_finds_the_guideline_and_no_more(
    living_study: Cast, page: Page, logged_in: Visit
) -> None:
    _home(logged_in, living_study.amal)
    page.get_by_role("link", name="Kind words").click()
    links = page.get_by_role("navigation").get_by_role("link").all_inner_texts()
    assert {"Your work", "Codebook"} <= {link.strip() for link in links}
    assert not {"Corpora", "Samples", "Members", "Jobs"} & {link.strip() for link in links}
    page.get_by_role("navigation").get_by_role("link", name="Codebook").click()
    expect(page.get_by_role("heading", name="It applies when").first).to_be_visible()
    expect(page.get_by_role("link", name="New edition")).to_have_count(0)


def test_tables_sort_and_help_opens_by_keyboard(living_study: Cast, page: Page, logged_in: Visit) -> None:
    home = _home(logged_in, living_study.rosa)
    page.goto(f"{home}studies/kind-words/corpora/texts")
    header = page.get_by_role("columnheader", name="Replies").first
    header.get_by_role("button").focus()
    page.keyboard.press("Enter")
    expect(header).to_have_attribute("aria-sort", "descending")
    replies = [
        int(text) for text in page.locator("table").first.locator("tbody td:nth-child(4)").all_inner_texts()
    ]
    assert replies == sorted(replies, reverse=True)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()


def _home(logged_in: Visit, user: User) -> str:
    return logged_in(user).url


def test_figures_of_reports_show_one_way_and_are_read_by_keyboard(
    cast: Cast, page: Page, logged_in: Visit
) -> None:
    """The choice hides the marks of the other way, also from the arrow keys."""
    home = _home(logged_in, cast.rosa)
    page.goto(f"{home}style")
    figure = page.locator("#figure-example-shares")
    expect(figure.locator("g.way-naive:visible")).to_have_count(4)
    figure.get_by_role("radio", name="Both").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(figure.get_by_role("radio", name="Corrected")).to_be_checked()
    expect(figure.locator("g.way-naive:visible")).to_have_count(0)
    page.keyboard.press("Tab")
    tip = page.locator(".tip")
    expect(tip).to_contain_text("Shares an own experience · Replies · corrected")
    expect(tip).to_contain_text("16.0%, 95% interval 13.0 to 19.0")
    expect(tip).to_contain_text("n = 12,345, 412 with gold")
    page.keyboard.press("ArrowDown")
    expect(tip).to_contain_text("Names the feeling · Replies · corrected")
    cells = page.locator("#figure-example-together-naive")
    expect(cells.locator(".panel:visible")).to_have_count(1)
    cells.get_by_role("radio", name="Naive").check()
    cells.locator("[data-tip]:visible").first.hover()
    expect(tip).to_contain_text("naive")
