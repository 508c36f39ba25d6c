"""Times a bare loop and a whole import in turns, and prints their ratio."""

import time
from collections.abc import Callable
from statistics import median

_ROUNDS = 5
_WANTED = 0.5


def compare(megabytes: float, bare: Callable[[], object], whole: Callable[[], object]) -> None:
    """`whole` has to import into a new place each time, since the same import again does nothing."""
    bare()
    ratios = []
    for _ in range(_ROUNDS):
        bare_seconds, whole_seconds = _seconds(bare), _seconds(whole)
        ratios.append(bare_seconds / whole_seconds)
        print(
            f"bare {megabytes / bare_seconds:6.0f} MB/s   import {megabytes / whole_seconds:6.0f} MB/s   "
            f"ratio {ratios[-1]:.2f}"
        )
    print(f"median ratio {median(ratios):.2f} (at least {_WANTED:.2f} wanted)")


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
