"""How long things take, on a machine that does other things too."""

from __future__ import annotations

import time
from collections.abc import Callable


def quickest(act: Callable[[], object], times: int = 3) -> float:
    """Seconds that this process worked, in the quickest of a few times: the one that was disturbed least."""
    took = []
    for _ in range(times):
        began = time.process_time()
        act()
        took.append(time.process_time() - began)
    return min(took)
