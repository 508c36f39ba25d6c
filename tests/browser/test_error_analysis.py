"""Sorting a model's errors by keyboard."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from analysis.error_tags import ErrorTag
from annotation.release.rows import SplitPart
from backend.decide.adjudication.models import Suspicion
from backend.learn.error_analysis.selectors import tags_of
from tests.backend.learn.error_analysis.fixtures import err_on, erring_adapter, first_item
from tests.batch_fixtures import CastAtWork
from tests.browser.conftest import Visit
from tests.browser.fitting import assert_accessible

pytestmark = pytest.mark.slow


def test_errors_are_sorted_by_keyboard_and_a_wrong_label_goes_to_the_workspace(
    logged_in: Visit, live_server: LiveServer, work: CastAtWork, tmp_path: Path, settings: Settings
) -> None:
    for name in ("RELEASES_DIR", "ADAPTERS_DIR", "ML_DIR"):
        setattr(settings, name, tmp_path / name)
    settings.ML_PATIENCE = timedelta(0)
    adapter = erring_adapter(work)
    item_id = first_item(adapter).item.item_id
    err_on(adapter, SplitPart.VALIDATION, item_id, "seeking-calibration", 1)
    page = logged_in(work.cast.rosa)
    page.goto(f"{live_server.url}/studies/kind-words/models/{adapter.number}")
    page.keyboard.press("e")
    errors = page.locator("[data-error]")
    expect(errors).to_have_count(2)
    assert_accessible(page, "error analysis")
    page.wait_for_load_state()
    page.keyboard.press("j")
    page.keyboard.press("3")
    quoted = errors.first.get_by_role("button", name="Quoted speech")
    expect(quoted).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("3")
    expect(quoted).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("j")
    page.keyboard.press("5")
    expect(errors.nth(1).get_by_role("status")).to_contain_text("in the queue of adjudication")
    expect(errors.nth(1)).to_have_attribute("aria-current", "true")
    assert list(tags_of(adapter).values()) == [{ErrorTag.ANNOTATION_ERROR}]
    assert Suspicion.objects.get().item.item_id == item_id
    page.goto(f"{live_server.url}/studies/kind-words/adjudication/items/{item_id}")
    expect(page.get_by_text("Rosa holds the label")).to_be_visible()
