"""The desk on which tests of discussions lay out work."""

from __future__ import annotations

import pytest

from tests.backend.annotate.discussions.desk import Desk
from tests.cast import Cast


@pytest.fixture
def desk(cast: Cast) -> Desk:
    return Desk(cast)
