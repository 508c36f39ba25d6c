"""Releases, adapters and tasks go into folders of the test's own."""

from __future__ import annotations

import pytest

from backend.learn.models.models import Adapter
from tests.backend.learn.error_analysis.fixtures import erring_adapter
from tests.backend.learn.models.conftest import own_folders
from tests.batch_fixtures import CastAtWork

__all__ = ["own_folders"]


@pytest.fixture
def adapter(work: CastAtWork) -> Adapter:
    return erring_adapter(work)
