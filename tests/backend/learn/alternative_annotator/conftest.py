"""A release with overlap, in folders of the test's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from backend.decide.releases.models import Release
from tests.backend.learn.alternative_annotator.fixtures import overlap_release
from tests.backend.learn.models.conftest import own_folders
from tests.cast import Cast

__all__ = ["own_folders"]


@pytest.fixture
def release(cast: Cast, tmp_path: Path) -> Release:
    return overlap_release(cast.study, tmp_path / "made")
