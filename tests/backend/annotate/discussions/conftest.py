"""The bench on which tests of discussions lay out work."""

from __future__ import annotations

import pytest

from tests.backend.annotate.discussions.fixtures import Bench
from tests.cast import Cast


@pytest.fixture
def bench(cast: Cast) -> Bench:
    return Bench(cast)
