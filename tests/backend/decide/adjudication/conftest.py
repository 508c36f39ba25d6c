"""The bench on which tests of adjudication lay out answers."""

from __future__ import annotations

import pytest

from tests.backend.decide.adjudication.fixtures import Bench
from tests.batch_fixtures import CastAtWork


@pytest.fixture
def bench(work: CastAtWork) -> Bench:
    return Bench(work)
