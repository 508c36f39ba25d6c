"""A release with three codes, in folders of the test's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from backend.decide.releases.models import Release
from tests.backend.learn.models.conftest import own_folders
from tests.backend.learn.models.fixtures import release_in
from tests.cast import Cast
from tests.ml_backend.conftest import tiny_backbone

__all__ = ["own_folders", "tiny_backbone"]


@pytest.fixture
def release(cast: Cast, tmp_path: Path) -> Release:
    return release_in(cast.study, tmp_path / "made")
