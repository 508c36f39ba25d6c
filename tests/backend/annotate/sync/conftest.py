"""Fixtures of the sync's tests."""

from __future__ import annotations

import pytest

from tests.backend.annotate.sync.sync_bench import Bench
from tests.batch_fixtures import CastAtWork


@pytest.fixture
def bench(work: CastAtWork) -> Bench:
    return Bench(work, work.batch(work.cast.amal, work.cast.bea, items=work.items[:5]))
