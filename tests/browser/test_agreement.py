"""In Chromium: a batch is measured while one watches, and the items behind a number are one click away."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from backend.annotate.batches.models import Batch
from backend.core.jobs.models import Job
from backend.core.jobs.runner import run_job
from tests.backend.decide.agreement.conftest import work_as_ml_backend
from tests.backend.decide.agreement.fixtures import HASTY, ORDINARY, STEADY, judged_batch
from tests.batch_fixtures import CastAtWork
from tests.browser.fitting import assert_accessible

pytestmark = pytest.mark.django_db(transaction=True)
SECONDS = 10_000
SESSION = "attune_session"


@pytest.fixture
def overlap(work: CastAtWork, settings: Settings, tmp_path: Path) -> Batch:
    settings.AGREEMENT_DIR, settings.ML_DIR = tmp_path / "agreement", tmp_path / "ml"
    settings.ML_PATIENCE = timedelta(0)
    cast = work.cast
    return judged_batch(work, work.items, {cast.amal: STEADY, cast.bea: ORDINARY, cast.chen: HASTY})


def test_measuring_is_watched_and_the_items_are_one_click_away(
    work: CastAtWork, overlap: Batch, page: Page, live_server: LiveServer
) -> None:
    client = Client()
    client.force_login(work.cast.rosa)
    session = client.cookies[SESSION].value
    page.context.add_cookies([{"name": SESSION, "value": session, "url": live_server.url}])
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{live_server.url}/studies/kind-words/agreement/batches/{overlap.pk}")
    page.keyboard.press("m")
    expect(page.get_by_text("Waiting for a worker")).to_be_visible()
    job = Job.objects.get()
    run_job(job_id=job.pk, clock=timezone.now)
    expect(page.get_by_text("aiting for the ML backend")).to_be_visible(timeout=SECONDS)
    work_as_ml_backend(job)
    run_job(job_id=job.pk, clock=timezone.now)
    expect(page.get_by_text("themes can be trusted")).to_be_visible(timeout=SECONDS)
    assert_accessible(page, "agreement")
    page.locator(".plot:visible").first.focus()
    page.keyboard.press("ArrowDown")
    page.get_by_role("link", name=re.compile(r"items behind")).first.click()
    expect(page.get_by_text("Items on which annotators of Overlap 1 disagree")).to_be_visible()
    page.locator("tbody a").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Item")
    assert complaints == []
