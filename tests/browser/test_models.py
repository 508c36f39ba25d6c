"""Models in a browser: from the form to a training, the context probe, the leaderboard, promotion and one step back."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Page, expect
from pytest_django.fixtures import Settings

from backend.core.jobs.models import Job, JobState
from backend.core.ml_tasks.folders import task_folders
from backend.decide.releases.models import Release
from backend.learn.models.selectors import adapter_in_service
from learning.tasks.progress import ProgressWriter, TrainingPoint
from tests.backend.learn.models.fixtures import folder_of, release_in, run, work_as_ml_backend
from tests.backend.learn.models.fixtures import train as trained
from tests.browser.conftest import Visit
from tests.browser.fitting import assert_fits
from tests.cast import Cast
from tests.ml_backend.tiny_backbone import make_backbone

pytestmark = pytest.mark.slow
HERE = "/studies/kind-words/models"


@pytest.fixture
def release(cast: Cast, transactional_db: None, tmp_path: Path, settings: Settings) -> Release:
    settings.RELEASES_DIR, settings.ADAPTERS_DIR = tmp_path / "releases", tmp_path / "adapters"
    settings.ML_DIR, settings.ML_PATIENCE = tmp_path / "ml", timedelta(0)
    return release_in(cast.study, tmp_path / "made", 60)


def the_job() -> Job:
    return Job.objects.filter(state=JobState.QUEUED).latest("pk")


def begin(job: Job) -> None:
    """A worker asks the ML backend, which says how far it is."""
    assert run(job).state == JobState.QUEUED
    for step in (10, 20):
        ProgressWriter(folder_of(job).progress).write(TrainingPoint(1, step, 40, 1 / step))


def end(job: Job) -> None:
    assert job.study is not None
    if not task_folders(job.study, job.pk):
        assert run(job).state == JobState.QUEUED
    work_as_ml_backend(folder_of(job))
    after = run(job)
    assert after.state == JobState.DONE, after.error


def train(page: Page, learner: str, name: str) -> None:
    page.goto(urljoin(page.url, f"{HERE}/train?learner={learner}"))
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Train").click()
    expect(page.get_by_text("Waiting for a worker.")).to_be_visible()


def confirm(page: Page, button: str, answer: str) -> None:
    page.get_by_role("button", name=button).first.click()
    page.get_by_role("dialog").get_by_role("button", name=answer).click()


@pytest.mark.parametrize("width", [1440, 390])
def test_from_the_form_into_service_and_back(
    cast: Cast, release: Release, logged_in: Visit, width: int
) -> None:
    page = logged_in(cast.rosa)
    page.set_viewport_size({"width": width, "height": 900})
    train(page, "majority", "The commonest")
    end(the_job())
    # The page asks by itself and finds that it is done.
    expect(page.get_by_role("link", name="See the adapter")).to_be_visible(timeout=10_000)
    train(page, "tfidf-logistic", "By words")
    job = the_job()
    begin(job)
    expect(page.locator("figure svg").first).to_be_visible(timeout=10_000)
    end(job)

    page.goto(urljoin(page.url, f"{HERE}/2"))
    page.get_by_role("link", name="Context probe").click()
    expect(page.get_by_text("Not probed yet")).to_be_visible()
    expect(page.get_by_text("Contradiction is left out")).to_be_visible()
    page.get_by_label("Unrelated posts").select_option("Posts of the release’s other parts")
    page.get_by_role("button", name="Probe").click()
    page.wait_for_url("**/jobs/*")
    end(the_job())
    page.goto(urljoin(page.url, f"{HERE}/2/probe"))
    expect(page.get_by_text("Sensitivity, theme by theme").locator("visible=true")).to_be_visible()
    page.get_by_text("What was put into replies").click()
    expect(page.get_by_text("under unrelated posts").last).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width

    page.goto(urljoin(page.url, f"{HERE}/leaderboards/{release.number}"))
    expect(page.locator("tbody strong").first).to_be_visible()
    expect(page.get_by_role("columnheader", name="sensitivity")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") <= width

    page.goto(urljoin(page.url, f"{HERE}/1"))
    page.get_by_text("Put it in service against the promotion rule").click()
    page.locator("textarea[name=reason]").fill("To have something to compare with.")
    page.get_by_role("button", name="Put in service anyway").click()
    expect(page.get_by_text("Entered service against the promotion rule").first).to_be_visible()
    page.goto(urljoin(page.url, f"{HERE}/2"))
    page.get_by_role("button", name="Examine").click()
    page.wait_for_url("**/jobs/*")
    end(the_job())
    report = cast.study.promotion_reports.get()
    page.goto(urljoin(page.url, f"{HERE}/promotion/{report.pk}"))
    expect(page.get_by_text("It may enter service")).to_be_visible()
    expect(page.get_by_text("scores on its card were reached again.")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    confirm(page, "Put in service", "Put in service")
    expect(page.get_by_text("By words").first).to_be_visible()
    page.goto(urljoin(page.url, HERE))
    confirm(page, "Back to 1", "Go back")
    expect(page.get_by_role("button", name="Back to 1")).to_have_count(0)
    back = adapter_in_service(cast.study)
    assert back is not None and back.name == "The commonest"


def test_the_curves_of_micromodels_fit(
    cast: Cast, release: Release, logged_in: Visit, tmp_path: Path
) -> None:
    backbone = make_backbone(tmp_path / "backbone")
    trained(release, "micromodels", options={"backbone": backbone, "groups": 2, "bags": 1})
    page = logged_in(cast.rosa)
    page.goto(urljoin(page.url, f"{HERE}/1"))
    expect(page.get_by_role("heading", name="What it looks for")).to_be_visible()
    page.get_by_text("Explorations 2 seeds in 2 micromodels").click()
    assert page.locator("details[open] figure svg").count() >= 2
    assert_fits(page, f"{HERE}/1")
