"""Says how far long work is, every few seconds and not for every file."""

from __future__ import annotations

import time
from collections.abc import Callable

from backend.core.web.formats import filesize

Report = Callable[[str], None]
SECONDS_BETWEEN = 5.0


class Progress:
    """Counts bytes towards a total that is known beforehand."""

    def __init__(self, report: Report, doing: str, total: int) -> None:
        self._report = report
        self._doing = doing
        self._total = total
        self._done = 0
        self._told = time.monotonic()

    def add(self, n_bytes: int) -> None:
        self._done += n_bytes
        if time.monotonic() - self._told >= SECONDS_BETWEEN:
            self._told = time.monotonic()
            self._report(f"{self._doing}: {filesize(self._done)} of about {filesize(self._total)}")
