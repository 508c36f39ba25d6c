"""Numbers, sizes and times read the same everywhere."""

import doctest
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.web import formats
from backend.core.web.charts import scale

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize("module", [formats, scale])
def test_examples_in_the_docstrings_hold(module: object) -> None:
    result = doctest.testmod(module)  # type: ignore[arg-type]
    assert result.attempted > 0
    assert result.failed == 0


@given(st.integers())
def test_thousands_lose_nothing(value: int) -> None:
    assert int(formats.thousands(value).replace(",", "")) == value


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0, "0"),
        (-12_345, "-12,345"),
        (1_234.5, "1,234.5"),
        (Decimal("2.10"), "2.1"),
        (float("nan"), "–"),
        (None, "–"),
    ],
)
def test_thousands(value: float | None, words: str) -> None:
    assert formats.thousands(value) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0, "0 s"),
        (0.4, "under 1 s"),
        (59.9, "59 s"),
        (60, "1 min"),
        (3_600, "1 h"),
        (90_000, "1 d 1 h"),
        (timedelta(minutes=125), "2 h 5 min"),
        (-1, "–"),
        (None, "–"),
    ],
)
def test_duration(value: float | timedelta | None, words: str) -> None:
    assert formats.duration(value) == words


@given(st.integers(0, 10**16))
def test_a_file_size_is_within_a_twentieth_of_a_unit(size: int) -> None:
    number, unit = formats.filesize(size).replace(",", "").split()
    factor = 1000 ** ("B", "kB", "MB", "GB", "TB", "PB").index(unit)
    assert float(number) * factor == pytest.approx(size, abs=factor / 19)
    assert unit == "PB" or float(number) < 1000


@pytest.mark.parametrize(
    ("before", "words"),
    [
        (timedelta(seconds=20), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(days=8), "1 week ago"),
        (timedelta(days=800), "2 years ago"),
        (timedelta(hours=-5), "in 5 hours"),
        (timedelta(seconds=-5), "in a moment"),
    ],
)
def test_distance_in_time(before: timedelta, words: str) -> None:
    assert formats.distance_in_time(NOW - before, NOW) == words
