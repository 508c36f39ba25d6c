"""When a nightly or weekly schedule falls due: pure reckoning with wall clocks, which jump and repeat hours.

An occasion is named by the wall clock, so that an hour which a clock shows twice is one occasion; an hour that a clock
skips falls due at the moment of the jump.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Rhythm:
    """At this hour, every day or on one weekday (Monday is 0)."""

    hour: int
    weekday: int | None = None


@dataclass(frozen=True, slots=True)
class Occasion:
    """`key` is the same for everybody who looks at the same occasion, whenever and with whatever clock."""

    key: str
    at: datetime


def latest_occasion(rhythm: Rhythm, now: datetime, zone: ZoneInfo) -> Occasion:
    """The newest one that is not in the future.

    >>> latest_occasion(Rhythm(hour=2), datetime(2026, 3, 1, 1, 30, tzinfo=UTC), ZoneInfo("UTC")).key
    '2026-02-28 02:00'
    """
    day = now.astimezone(zone).date() + DAY
    while (found := _on(rhythm, day, zone)) is None or found.at > now:
        day -= DAY
    return found


def next_occasion(rhythm: Rhythm, after: datetime, zone: ZoneInfo) -> Occasion:
    """The first one later than a moment.

    >>> next_occasion(Rhythm(hour=2, weekday=6), datetime(2026, 3, 1, 2, tzinfo=UTC), ZoneInfo("UTC")).key
    '2026-03-08 02:00'
    """
    day = after.astimezone(zone).date() - DAY
    while (found := _on(rhythm, day, zone)) is None or found.at <= after:
        day += DAY
    return found


def _on(rhythm: Rhythm, day: date, zone: ZoneInfo) -> Occasion | None:
    if rhythm.weekday is not None and day.weekday() != rhythm.weekday:
        return None
    wall = datetime.combine(day, time(rhythm.hour), zone)
    return Occasion(f"{day.isoformat()} {rhythm.hour:02d}:00", wall.astimezone(UTC))
