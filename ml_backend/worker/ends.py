"""How a process that works on an order can end, as its exit code."""

from __future__ import annotations

from enum import IntEnum


class End(IntEnum):
    """`TAKEN`: another process works on it. `BUSY`: another order has to be done first. `UNWANTED`: nobody waits.

    `LEFT`: it was told to stop, its parent is gone, or a newer order took the place of its own; what it had is in its
    checkpoint.
    """

    ANSWERED = 0
    FAILED = 1
    TAKEN = 73
    BUSY = 75
    UNWANTED = 76
    LEFT = 77


def name_of(code: int) -> str:
    return End(code).name.lower() if code in set(End) else f"code {code}"
