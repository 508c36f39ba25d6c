"""How numbers, sizes, times and files are written for people, the same way on every page. Files are named from the data
directory on: where that lies is for whoever runs the server."""

from __future__ import annotations

import math
import re
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path

from django.conf import settings

Number = int | float | Decimal
NOTHING = "–"
# In which an instance keeps its files
_FOLDERS = (
    "CORPORA_DIR",
    "FILES_DIR",
    "RELEASES_DIR",
    "ADAPTERS_DIR",
    "LABELLED_DIR",
    "REPORTS_DIR",
    "ML_DIR",
)

_UNITS = ("B", "kB", "MB", "GB", "TB", "PB")
_PERIODS = (
    ("year", 365 * 86_400),
    ("month", 30 * 86_400),
    ("week", 7 * 86_400),
    ("day", 86_400),
    ("hour", 3_600),
    ("minute", 60),
)


def thousands(value: Number | None) -> str:
    """
    >>> thousands(12345), thousands(1234.5), thousands(None)
    ('12,345', '1,234.5', '–')
    """
    if value is None or not math.isfinite(value):
        return NOTHING
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.2f}".rstrip("0").rstrip(".")


def percent(value: Number | None, places: int = 1) -> str:
    """
    >>> percent(0.1234), percent(0.1234, 0)
    ('12.3%', '12%')
    """
    if value is None or not math.isfinite(value):
        return NOTHING
    return f"{100 * value:.{places}f}%"


def points(value: Number | str | None) -> str:
    """A score in hundredths, as papers print it; templates write "" for what is not there.

    >>> points(0.7446), points(None), points("")
    ('74.5', '–', '–')
    """
    if value is None or isinstance(value, str) or not math.isfinite(value):
        return NOTHING
    return f"{100 * value:.1f}"


def signed_points(value: Number | None) -> str:
    """A difference of scores in hundredths.

    >>> signed_points(0.0712), signed_points(-0.003)
    ('+7.1', '-0.3')
    """
    if value is None or not math.isfinite(value):
        return NOTHING
    return f"{100 * value:+.1f}"


def whole_rate(per_second: float) -> tuple[int, str]:
    """So many in the shortest period in which there is one at all.

    >>> whole_rate(12.4), whole_rate(0.2), whole_rate(0.001), whole_rate(0.0001)
    ((12, 'a second'), (12, 'a minute'), (4, 'an hour'), (1, 'an hour'))
    """
    for seconds, period in ((1, "a second"), (60, "a minute"), (3600, "an hour")):
        if round(per_second * seconds) >= 1:
            return round(per_second * seconds), period
    return 1, "an hour"


def duration(value: Number | timedelta | None) -> str:
    """The two largest units that matter.

    >>> duration(93), duration(7500), duration(0.2)
    ('1 min 33 s', '2 h 5 min', 'under 1 s')
    """
    if value is None:
        return NOTHING
    exact = value.total_seconds() if isinstance(value, timedelta) else float(value)
    if not math.isfinite(exact) or exact < 0:
        return NOTHING
    if 0 < exact < 1:
        return "under 1 s"
    seconds = int(exact)
    for large, small, of_large, of_small in (
        ("d", "h", 86_400, 3_600),
        ("h", "min", 3_600, 60),
        ("min", "s", 60, 1),
    ):
        if seconds >= of_large:
            rest = seconds % of_large // of_small
            return f"{seconds // of_large} {large}" + (f" {rest} {small}" if rest else "")
    return f"{seconds} s"


def filesize(value: Number | None) -> str:
    """Decimal units, as disks and networks are sold.

    >>> filesize(999), filesize(123_456)
    ('999 B', '123.5 kB')
    """
    if value is None or not math.isfinite(value) or value < 0:
        return NOTHING
    size, unit = float(value), 0
    while size >= 999.95 and unit < len(_UNITS) - 1:
        size, unit = size / 1000, unit + 1
    return f"{size:.0f} {_UNITS[unit]}" if unit == 0 else f"{size:,.1f} {_UNITS[unit]}"


def short_hash(value: str | None) -> str:
    """The first ten digits, without the name of the algorithm in front.

    >>> short_hash("sha256:0123456789abcdef")
    '0123456789'
    """
    return value.rpartition(":")[2][:10] if value else NOTHING


def distance_in_time(moment: datetime, now: datetime) -> str:
    """
    >>> distance_in_time(datetime(2026, 1, 1, 9), datetime(2026, 1, 1, 12))
    '3 hours ago'
    """
    seconds = (now - moment).total_seconds()
    for name, length in _PERIODS:
        if abs(seconds) >= length:
            number = int(abs(seconds) // length)
            words = f"{number} {name}{'s' if number > 1 else ''}"
            return f"{words} ago" if seconds > 0 else f"in {words}"
    return "just now" if seconds >= 0 else "in a moment"


def within_data(path: Path) -> str:
    """Such as files/my-study."""
    return without_server_paths(str(path))


def without_server_paths(text: str) -> str:
    """Cuts what stands before the data directory, and before a folder of its that lies elsewhere."""
    for folder in (Path(getattr(settings, name)).parent for name in _FOLDERS):
        text = re.sub(rf"(?<![\w/]){re.escape(str(folder))}/", "", text)
    return re.sub(rf"(?<![\w/]){re.escape(str(settings.DATA_DIR))}(?![\w/])", "the data directory", text)
