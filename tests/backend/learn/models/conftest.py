"""Adapters, tasks and releases go into folders of the test's own, and nobody waits long for an ML backend."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from backend.decide.releases.models import Release
from tests.backend.learn.models.fixtures import release_in
from tests.cast import Cast


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, settings: Settings) -> None:
    settings.RELEASES_DIR = tmp_path / "releases"
    settings.ADAPTERS_DIR = tmp_path / "adapters"
    settings.ML_DIR = tmp_path / "ml"
    settings.ML_PATIENCE = timedelta(0)


@pytest.fixture
def release(cast: Cast, tmp_path: Path) -> Release:
    """Its test part is large enough for a model that is clearly better to be seen to be."""
    return release_in(cast.study, tmp_path / "made", 90)
