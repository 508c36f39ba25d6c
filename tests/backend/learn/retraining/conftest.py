"""Releases, adapters and tasks go into folders of the test's own, and nobody waits long for an ML backend."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, settings: Settings) -> Path:
    settings.RELEASES_DIR = tmp_path / "releases"
    settings.ADAPTERS_DIR = tmp_path / "adapters"
    settings.ML_DIR = tmp_path / "ml"
    settings.ML_PATIENCE = timedelta(0)
    return tmp_path
