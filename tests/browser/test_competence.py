"""The page on annotators' competence fits, and an annotator finds their own row once a researcher allows it."""

from __future__ import annotations

from urllib.parse import urljoin

from playwright.sync_api import expect

from annotation.consensus.competence_values import Competence, Interval, Model
from backend.decide.competence.services import keep_estimate
from backend.decide.competence.themes import ThemeCompetence
from tests.batch_fixtures import CastAtWork
from tests.browser.conftest import Visit
from tests.browser.fitting import assert_fits
from tests.cast import NOW


def test_figures_by_name_and_ones_own(work: CastAtWork, logged_in: Visit) -> None:
    values = {model: Interval(0.81, 0.72, 0.9) for model in Model}
    rows = [
        Competence("amal", 140, values),
        Competence("bea", 12, {}, "12 of at least 30 items that others judged too"),
        Competence("chen", 120, values),
    ]
    themes = [
        ThemeCompetence("a", "Asking for advice", 140, rows),
        ThemeCompetence("b", "Sharing", 130, rows),
    ]
    keep_estimate(
        study=work.study,
        edition=work.edition,
        themes=themes,
        resamples=200,
        least=30,
        actor=work.cast.rosa,
        now=NOW,
    )
    page = logged_in(work.cast.rosa)
    home = page.url
    page.goto(urljoin(home, "/studies/kind-words/competence"))
    expect(page.get_by_role("row", name="bea 12 No figure")).to_have_count(2)
    assert_fits(page, "competence")
    page.get_by_label("Annotators may see their own figures").check()
    page.get_by_role("button", name="Save").click()
    page = logged_in(work.cast.amal)
    page.goto(urljoin(home, "/studies/kind-words/work"))
    page.get_by_role("link", name="How you did").click()
    expect(page.get_by_role("row", name="amal 140")).to_have_count(2)
    expect(page.get_by_text("chen")).to_have_count(0)
    assert_fits(page, "own competence")
