"""Releases go into a folder of the test's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django.fixtures import Settings


@pytest.fixture(autouse=True)
def releases_dir(tmp_path: Path, settings: Settings) -> Path:
    settings.RELEASES_DIR = tmp_path / "releases"
    return tmp_path / "releases"
