"""How calls that list things are read piece by piece."""

from __future__ import annotations

MOST = 1000


def page(limit: int, offset: int) -> slice:
    """What a call asks for, within bounds.

    >>> page(10, 20), page(0, -1), page(10**9, 0)
    (slice(20, 30, None), slice(0, 1, None), slice(0, 1000, None))
    """
    start = max(0, offset)
    return slice(start, start + max(1, min(limit, MOST)))
