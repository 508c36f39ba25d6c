"""A researcher makes a report from a finished run in the browser, and takes it home."""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta
from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.sync_api import expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from analysis.report.registry import section_titles
from backend.design.corpora.models import Corpus
from tests.backend.publish.reports.fixtures import finished_run
from tests.browser.conftest import Visit, run_waiting_jobs
from tests.browser.fitting import assert_accessible
from tests.cast import Cast

pytestmark = pytest.mark.slow


@pytest.fixture
def own_folders(tmp_path: Path, settings: Settings) -> None:
    for name in ("RELEASES", "ADAPTERS", "LABELLED", "REPORTS", "ML"):
        setattr(settings, f"{name}_DIR", tmp_path / name.lower())
    settings.ML_PATIENCE = timedelta(0)


def test_a_report_is_made_looked_at_and_downloaded(
    own_folders: None,
    logged_in: Visit,
    live_server: LiveServer,
    cast: Cast,
    demo_corpus: Corpus,
    tmp_path: Path,
) -> None:
    finished_run(cast, demo_corpus)
    page = logged_in(cast.rosa)
    page.goto(f"{live_server.url}/studies/kind-words/reports")
    page.keyboard.press("n")
    page.get_by_label("Title").fill("What people do")
    expect(page.get_by_label("Gold")).to_have_value("1")
    page.get_by_label("NineToFive").fill("Work")
    page.get_by_role("button", name="Make it").click()
    expect(page.get_by_text("Without one: manners")).to_be_visible()
    page.get_by_label("manners").fill("Manners")
    for name, title in section_titles().items():
        if name not in ("overall", "communities"):
            page.get_by_label(title).uncheck()
    page.get_by_role("button", name="Make it").click()
    page.wait_for_url("**/jobs/*")
    run_waiting_jobs()
    page.goto(f"{live_server.url}/studies/kind-words/reports/1")
    expect(page.get_by_role("heading", name="How communities differ")).to_be_visible()
    expect(page.get_by_role("heading", name="How platforms differ")).to_have_count(0)
    expect(page.get_by_role("heading", name="Methods")).to_be_visible()
    assert_accessible(page, "a report")
    expect(page.get_by_role("table", name="Shares of codes", exact=True)).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    assert download.value.suggested_filename == "kind-words-report-1.zip"
    download.value.save_as(tmp_path / "report.zip")
    held_by_its_manifest(tmp_path / "report.zip")


def held_by_its_manifest(path: Path) -> None:
    with ZipFile(path) as archive:
        manifest = json.loads(archive.read("kind-words-report-1/manifest.json"))
        for name, digest in manifest["files"].items():
            content = archive.read(f"kind-words-report-1/{name}")
            assert hashlib.sha256(content).hexdigest() == digest, name
    kinds = {(Path(name).parent.name, Path(name).suffix) for name in manifest["files"]}
    assert {("tables", ".csv"), ("tables", ".tex"), ("figures", ".pdf"), ("figures", ".svg")} <= kinds
    assert {"methods.md", "methods.tex", "report.json"} <= set(manifest["files"])
