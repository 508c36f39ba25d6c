"""A practice batch with gold, ready to be worked on."""

from __future__ import annotations

import pytest

from tests.backend.annotate.practice.fixtures import Practice, set_up_practice
from tests.cast import Cast


@pytest.fixture
def practice(cast: Cast) -> Practice:
    return set_up_practice(cast)
