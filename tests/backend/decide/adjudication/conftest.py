"""The bench on which tests of adjudication lay out answers."""

from __future__ import annotations

import pytest

from tests.backend.decide.adjudication.scene import Bench
from tests.given_work import CastAtWork


@pytest.fixture
def bench(work: CastAtWork) -> Bench:
    return Bench(work)
