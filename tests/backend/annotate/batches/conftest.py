"""A study in which batches can be opened."""

from __future__ import annotations

import pytest

from tests.backend.annotate.batches.fixtures import add_codebook, add_sample
from tests.cast import Cast


@pytest.fixture
def ready(cast: Cast) -> Cast:
    """With a codebook, and thirty items in the sample “Main”."""
    add_codebook(cast)
    add_sample(cast, "Main", range(30))
    return cast
