"""Numbers that commands take, checked before any work is done."""

from __future__ import annotations

from argparse import ArgumentTypeError

# What the random numbers of every library take.
LARGEST_SEED = 2**32 - 1


def count(text: str) -> int:
    return _whole(text, 1)


def count_or_none(text: str) -> int:
    """0 stands for what the option's help says."""
    return _whole(text, 0)


def seed(text: str) -> int:
    return _whole(text, 0, LARGEST_SEED)


def _whole(text: str, least: int, most: int | None = None) -> int:
    wanted = f"a whole number from {least}" + (" up" if most is None else f" to {most:,}")
    try:
        number = int(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is not {wanted}") from None
    if number < least or (most is not None and number > most):
        raise ArgumentTypeError(f"{text} is not {wanted}")
    return number
