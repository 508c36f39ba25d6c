"""How long things take, on a machine that does other things too."""

from __future__ import annotations

import time
from collections.abc import Callable


def quickest(act: Callable[[], object], times: int = 3) -> float:
    """Seconds of the quickest of a few times: the one that was disturbed least."""
    took = []
    for _ in range(times):
        began = time.perf_counter()
        act()
        took.append(time.perf_counter() - began)
    return min(took)
