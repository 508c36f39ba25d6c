"""A researcher has a batch chosen and reads the savings meter, in a browser."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import expect
from pytest_django.fixtures import Settings

from backend.learn.active_learning.models import Choice
from learning.learning_curves.savings import SavingsVerdict
from learning.learning_curves.stopping import Advice
from tests.backend.learn.active_learning.fixtures import pooled_study
from tests.backend.learn.active_learning.test_views import kept, reading
from tests.browser.conftest import Visit
from tests.cast import Cast

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, settings: Settings) -> None:
    settings.RELEASES_DIR = tmp_path / "releases"
    settings.ADAPTERS_DIR = tmp_path / "adapters"
    settings.ML_DIR = tmp_path / "ml"
    settings.ML_PATIENCE = timedelta(0)


def test_a_batch_is_chosen_and_opened(cast: Cast, tmp_path: Path, logged_in: Visit) -> None:
    pooled = pooled_study(cast, tmp_path / "made")
    pooled.model_in_service()
    kept(cast, reading(SavingsVerdict.NOTHING_SHOWN, Advice.CANNOT_SAY))
    page = logged_in(cast.rosa)
    page.goto(f"{page.url.rstrip('/')}/studies/kind-words/active-learning")
    expect(page.get_by_text("No gain can be shown so far")).to_be_visible()
    page.get_by_role("link", name="Choose the next batch").first.click()
    page.get_by_label("How many items").fill("10")
    page.get_by_label("Entropy").check()
    page.get_by_role("button", name="Show what is chosen").click()
    expect(page.get_by_text("60 of 60 items are not predicted yet")).to_be_visible()
    page.get_by_role("button", name="Predict the pool").click()
    expect(page.get_by_text("Waiting for a worker")).to_be_visible()
    pooled.predicted()
    expect(page.get_by_text("60 items of the pool were predicted")).to_be_visible()
    page.get_by_role("button", name="Show what is chosen").click()
    expect(page.get_by_text("8 by the strategy and 2 by chance")).to_be_visible()
    page.get_by_role("button", name="Open the batch").click()
    expect(page.get_by_text("It reaches Label Studio within a minute")).to_be_visible()
    assert Choice.objects.get().strategy == "entropy"
