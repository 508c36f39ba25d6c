"""A dialog on a page that refreshes itself still does what it says, however long it is read."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from urllib.parse import urljoin

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.fixtures import Settings

from backend.core.jobs.models import Job, JobState
from backend.core.jobs.services import enqueue_job
from backend.design.corpora.models import Corpus
from backend.learn.retraining.claiming import start_by_hand
from backend.publish.labelling.requests import LabelRequest
from backend.publish.labelling.services import start_run
from tests.backend.learn.models.fixtures import ask_for_training
from tests.backend.publish.labelling.fixtures import adapter_in
from tests.browser.conftest import Visit, run_waiting_jobs
from tests.cast import NOW, Cast

STUDY = "/studies/kind-words"
READING_MILLISECONDS = 5_000


@pytest.fixture
def under_way(
    cast: Cast, transactional_db: None, demo_corpus: Corpus, tmp_path: Path, settings: Settings
) -> dict[str, Job]:
    """The address of every page that refreshes itself and has something to stop, and the job that is stopped."""
    for name in ("RELEASES", "ADAPTERS", "LABELLED", "ML"):
        setattr(settings, f"{name}_DIR", tmp_path / name.lower())
    settings.ML_PATIENCE = timedelta(0)
    adapter = adapter_in(cast.study, tmp_path / "adapter")
    training = ask_for_training(adapter.release, seed=2)
    request = LabelRequest(adapter=adapter.number, corpus=demo_corpus.slug)
    labelling = start_run(study=cast.study, request=request, actor=cast.rosa, now=NOW)
    assert labelling.job is not None
    run_waiting_jobs()
    retraining = start_by_hand(study=cast.study, actor=cast.rosa, now=timezone.now())
    job = enqueue_job(kind="find_suspects", arguments={}, study=cast.study, created_by=cast.rosa, now=NOW)
    return {
        f"/jobs/{job.pk}": job,
        f"/models/trainings/{training.pk}": training,
        f"/labelling/{labelling.number}": labelling.job,
        f"/retraining/{retraining.number}": retraining.job,
    }


def open_dialog(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("dialog")).to_be_visible()


def test_what_is_stopped_after_five_seconds_of_reading_is_stopped(
    cast: Cast, under_way: dict[str, Job], logged_in: Visit
) -> None:
    home = logged_in(cast.rosa)
    pages = {address: home.context.new_page() for address in under_way}
    for address, page in pages.items():
        open_dialog(page, urljoin(home.url, f"{STUDY}{address}"))
    home.wait_for_timeout(READING_MILLISECONDS)
    for address, page in pages.items():
        with page.expect_navigation():
            page.get_by_role("dialog").get_by_role("button", name="Stop").click()
        under_way[address].refresh_from_db()
        stopped = under_way[address]
        assert stopped.cancel_requested or stopped.state == JobState.CANCELLED, address


def test_a_page_goes_on_refreshing_itself_after_its_dialog_was_closed(
    cast: Cast, under_way: dict[str, Job], logged_in: Visit
) -> None:
    page = logged_in(cast.rosa)
    address, job = next(iter(under_way.items()))
    open_dialog(page, urljoin(page.url, f"{STUDY}{address}"))
    page.keyboard.press("Escape")
    Job.objects.filter(pk=job.pk).update(progress_note="Counting sheep")
    expect(page.get_by_text("Counting sheep")).to_be_visible()
