"""A researcher has a corpus labelled in the browser, watches it, pauses it, goes on and sees it done."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import expect
from pytest_django.fixtures import Settings

from backend.design.corpora.models import Corpus
from backend.publish.labelling.selectors import run_numbered
from tests.backend.publish.labelling.fixtures import adapter_in, assert_whole, label_as_ml_backend, look
from tests.browser.conftest import Visit, run_waiting_jobs
from tests.cast import Cast


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, settings: Settings) -> None:
    for name in ("RELEASES", "ADAPTERS", "LABELLED", "ML"):
        setattr(settings, f"{name}_DIR", tmp_path / name.lower())
    settings.ML_PATIENCE, settings.SHARD_TEXTS = timedelta(0), 20


def test_a_corpus_is_labelled_in_the_browser(
    logged_in: Visit, cast: Cast, demo_corpus: Corpus, tmp_path: Path
) -> None:
    adapter_in(cast.study, tmp_path / "made")
    page = logged_in(cast.rosa)
    page.get_by_role("link", name="Kind words").first.click()
    page.get_by_text("Publish", exact=True).click()
    page.get_by_role("link", name="Labelling").click()
    expect(page.get_by_text("Nothing labelled yet")).to_be_visible()
    page.get_by_role("link", name="Label a corpus").first.click()
    page.get_by_label("Texts").select_option(label="Texts, the corpus itself")
    page.get_by_label("Price of a machine hour").fill("0.40")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", name="Labelling run 1")).to_be_visible()
    run_waiting_jobs()
    run = run_numbered(cast.study, 1)
    label_as_ml_backend(run, most=3)
    run_waiting_jobs()
    run = run_numbered(cast.study, 1)
    expect(page.get_by_text(f"{run.n_labelled} of {run.n_units} texts")).to_be_visible()
    expect(page.get_by_text("Cost per thousand")).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text("The run pauses")).to_be_visible()
    run_waiting_jobs()
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    run = look(run_numbered(cast.study, 1))
    label_as_ml_backend(run)
    run_waiting_jobs()
    expect(page.get_by_text("Every text is labelled")).to_be_visible()
    assert_whole(run_numbered(cast.study, 1))
