"""Freezing a release in the browser, from the preview to the judgments behind a label."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from backend.decide.releases.models import Release
from backend.decide.releases.selectors import problems_of
from tests.backend.decide.releases.fixtures import judged_study
from tests.batch_fixtures import CastAtWork
from tests.browser.conftest import Visit, run_waiting_jobs
from tests.browser.fitting import assert_accessible

pytestmark = pytest.mark.slow


def test_a_researcher_freezes_a_release_and_traces_a_label(
    logged_in: Visit, live_server: LiveServer, work: CastAtWork, tmp_path: Path, settings: Settings
) -> None:
    settings.RELEASES_DIR = tmp_path / "releases"
    judged_study(work)
    page = logged_in(work.cast.rosa)
    page.goto(f"{live_server.url}/studies/kind-words/releases")
    page.keyboard.press("n")
    expect(page.get_by_role("heading", name="Freeze a release")).to_be_visible()
    expect(page.get_by_role("heading", name="What this freezes")).to_be_visible()
    assert_accessible(page, "a release to be frozen")
    expect(page.get_by_text("No item that was given out is left out")).to_be_visible()
    page.get_by_label("Leave them out").first.check()
    expect(page.get_by_text("With a disagreement that nobody adjudicated")).to_be_visible()
    assert Release.objects.count() == 0
    page.get_by_label("Majority", exact=False).first.check()
    page.get_by_label("Name").fill("First release")
    page.get_by_role("button", name="Freeze", exact=True).click()
    page.wait_for_url("**/jobs/*")
    run_waiting_jobs()
    release = Release.objects.get()
    assert problems_of(release) == []
    page.goto(f"{live_server.url}/studies/kind-words/releases/1")
    page.get_by_role("button", name="Verify").click()
    expect(page.get_by_text("byte for byte")).to_be_visible()
    assert_accessible(page, "a release")
    page.get_by_role("link", name="majority").click()
    page.get_by_role("link", name="item-00001").click()
    row = page.get_by_role("row", name="Sharing emotions")
    expect(row.get_by_role("cell").nth(5)).to_contain_text("yes")
    with page.expect_download() as download:
        page.goto(f"{live_server.url}/studies/kind-words/releases/1")
        page.get_by_role("link", name="Download").click()
    assert download.value.suggested_filename == "kind-words-release-1.zip"
