"""Says how far long work is, every few seconds and not for every file."""

from __future__ import annotations

import time
from collections.abc import Callable

Report = Callable[[str], None]
SECONDS_BETWEEN = 5.0


def readable_size(n_bytes: float) -> str:
    """
    >>> readable_size(312), readable_size(5_400_000)
    ('312 bytes', '5.1 MB')
    """
    for factor, unit in ((1024**3, "GB"), (1024**2, "MB"), (1024, "KB")):
        if n_bytes >= factor:
            return f"{n_bytes / factor:,.1f} {unit}"
    return f"{n_bytes:.0f} bytes"


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
            self._report(f"{self._doing}: {readable_size(self._done)} of about {readable_size(self._total)}")
