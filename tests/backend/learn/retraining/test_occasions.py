"""When a rhythm falls due, on clocks that jump and repeat hours."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.learn.retraining.occasions import Rhythm, latest_occasion, next_occasion

LONDON, BERLIN = ZoneInfo("Europe/London"), ZoneInfo("Europe/Berlin")
ZONES = [
    ZoneInfo(name) for name in ("UTC", "Europe/Berlin", "America/New_York", "Pacific/Apia", "Asia/Kathmandu")
]
rhythms = st.builds(Rhythm, st.integers(0, 23), st.none() | st.integers(0, 6))
moments = st.datetimes(datetime(2011, 12, 1), datetime(2030, 1, 1), timezones=st.just(UTC))


def at(*parts: int, zone: ZoneInfo, fold: int = 0) -> datetime:
    return datetime(*parts, tzinfo=zone, fold=fold).astimezone(UTC)  # type: ignore[arg-type, misc]


@given(rhythms, moments, st.sampled_from(ZONES))
def test_latest_and_next_surround_a_moment_without_a_gap(
    rhythm: Rhythm, now: datetime, zone: ZoneInfo
) -> None:
    latest, coming = latest_occasion(rhythm, now, zone), next_occasion(rhythm, now, zone)
    assert latest.at <= now < coming.at
    assert next_occasion(rhythm, latest.at, zone) == coming
    assert latest_occasion(rhythm, coming.at, zone) == coming
    days = 1 if rhythm.weekday is None else 7
    # A night can be skipped where a place moved across the date line
    assert coming.at - latest.at <= timedelta(days=days, hours=25)
    assert latest.key != coming.key


def test_an_hour_that_the_clock_shows_twice_is_one_occasion() -> None:
    rhythm = Rhythm(hour=2)
    first = at(2026, 10, 25, 2, 30, zone=BERLIN)
    second = at(2026, 10, 25, 2, 30, zone=BERLIN, fold=1)
    assert second - first == timedelta(hours=1)
    assert latest_occasion(rhythm, first, BERLIN) == latest_occasion(rhythm, second, BERLIN)


def test_an_hour_that_the_clock_skips_falls_due_at_the_jump() -> None:
    jump = datetime(2026, 3, 29, 1, tzinfo=UTC)
    found = latest_occasion(Rhythm(hour=1), jump, LONDON)
    assert (found.key, found.at) == ("2026-03-29 01:00", jump)
    assert latest_occasion(Rhythm(hour=1), jump - timedelta(seconds=1), LONDON).key == "2026-03-28 01:00"


@pytest.mark.parametrize(("zone", "key"), [(BERLIN, "2026-03-02 00:00"), (LONDON, "2026-03-01 00:00")])
def test_midnight_is_that_of_the_instances_clock(zone: ZoneInfo, key: str) -> None:
    assert latest_occasion(Rhythm(hour=0), datetime(2026, 3, 1, 23, 30, tzinfo=UTC), zone).key == key


def test_a_week_has_one_occasion() -> None:
    sunday, now = Rhythm(hour=3, weekday=6), datetime(2026, 3, 1, 3, tzinfo=UTC)
    keys = {
        latest_occasion(sunday, now + timedelta(hours=hour), ZoneInfo("UTC")).key for hour in range(7 * 24)
    }
    assert keys == {"2026-03-01 03:00"}
