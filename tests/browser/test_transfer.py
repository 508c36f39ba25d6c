"""The matrix of a finished transfer study, read at two widths, light and dark."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from tests.backend.learn.models.fixtures import release_in
from tests.backend.learn.transfer.fixtures import finished_by_hand
from tests.browser.conftest import Visit
from tests.browser.fitting import assert_accessible
from tests.cast import Cast

pytestmark = pytest.mark.slow


def test_the_matrix_is_found_and_read(
    logged_in: Visit, live_server: LiveServer, cast: Cast, tmp_path: Path, settings: Settings
) -> None:
    for name in ("RELEASES_DIR", "ADAPTERS_DIR", "ML_DIR"):
        setattr(settings, name, tmp_path / name)
    settings.ML_PATIENCE = timedelta(0)
    finished_by_hand(release_in(cast.study, tmp_path / "made", 60))
    page = logged_in(cast.rosa)
    page.goto(f"{live_server.url}/studies/kind-words/transfer")
    page.get_by_role("link", name="What helps what").click()
    matrix = page.get_by_role("table", name="Macro-F1 of each target after each source")
    expect(matrix.get_by_role("row")).to_have_count(4)
    expect(matrix.locator("u")).to_have_count(3)
    expect(matrix.get_by_role("row", name="Emotional reactions").locator("strong")).not_to_have_count(0)
    expect(page.locator(".report-figure svg.chart").first).to_be_visible()
    expect(page.get_by_role("table", name="Tests of pairs").locator("tbody tr")).to_have_count(6)
    assert_accessible(page, "transfer studies")
    with page.expect_download() as download:
        page.get_by_role("link", name="matrix.csv").click()
    assert download.value.suggested_filename == "kind-words-transfer-1-matrix.csv"
