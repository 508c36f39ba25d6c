"""Up to where a project has been read: far enough back that no change can slip by, no further than needed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

# A change gets its time before it is committed, so one that was slow to commit may appear behind a later one.
SLOWEST_COMMIT = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class ReadingPoint:
    """`newest` is by Label Studio's clock, `first_seen` by ours."""

    read_up_to: datetime | None
    newest: datetime | None
    first_seen: datetime | None


def advance(point: ReadingPoint, newest: datetime | None, now: datetime) -> ReadingPoint:
    """After everything later than `point.read_up_to` was read; `newest` is the latest change there before that.

    Once the newest change has been the newest for long enough, nothing older can still be on its way.

    >>> noon = datetime(2026, 3, 1, 12)
    >>> first = advance(ReadingPoint(None, None, None), noon, noon)
    >>> first.read_up_to.time()
    datetime.time(11, 59)
    >>> advance(first, noon, noon + timedelta(seconds=61)).read_up_to.time()
    datetime.time(12, 0)
    """
    if newest is None or (point.newest is not None and newest < point.newest):
        newest = point.newest
    if newest is None:
        return point
    first_seen = point.first_seen if newest == point.newest and point.first_seen else now
    settled = now - first_seen >= SLOWEST_COMMIT
    read_up_to = newest if settled else newest - SLOWEST_COMMIT
    if point.read_up_to is not None:
        read_up_to = max(read_up_to, point.read_up_to)
    return ReadingPoint(read_up_to, newest, first_seen)
