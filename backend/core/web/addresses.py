"""Reads what people may have put into an address."""

from __future__ import annotations

LONGEST = 7


def whole_number(raw: str | None, *, default: int) -> int:
    """A whole number of at least 1, or 0 where that is the default; the default for anything else.

    >>> whole_number("12", default=1), whole_number("x", default=1), whole_number("9" * 5000, default=1)
    (12, 1, 1)
    >>> whole_number("0", default=0), whole_number("0", default=1)
    (0, 1)
    """
    if raw is None or not raw.isascii() or not raw.isdecimal() or len(raw) > LONGEST:
        return default
    return max(min(1, default), int(raw))


MOST = 1000


def page(limit: int, offset: int) -> slice:
    """What a call asks for, within bounds.

    >>> page(10, 20), page(0, -1), page(10**9, 0)
    (slice(20, 30, None), slice(0, 1, None), slice(0, 1000, None))
    """
    start = max(0, offset)
    return slice(start, start + max(1, min(limit, MOST)))
