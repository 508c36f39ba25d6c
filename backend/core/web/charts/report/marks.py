"""What a mark of a report's chart says: its value, its interval, and what it rests on."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.report.chart_axes import limits_of, tick
from analysis.report.charts import ChartData, Mark, Unit
from analysis.values import p_in_words
from backend.core.web.charts.scale import nice_ticks
from backend.core.web.charts.svg import tip_text
from backend.core.web.formats import NOTHING, thousands


def format_value(value: float | None, unit: Unit) -> str:
    """
    >>> format_value(0.123, "percent"), format_value(-0.0214, "points")
    ('12.3%', '-2.1 points')
    >>> format_value(0.314, "number"), format_value(None, "number")
    ('0.31', '–')
    """
    if value is None:
        return NOTHING
    if unit == "number":
        return f"{_round(value, 2):,.2f}"
    number = f"{_round(100 * value, 1):,.1f}"
    return f"{number}%" if unit == "percent" else f"{number} points"


def _round(value: float, places: int) -> float:
    """Never minus zero."""
    return round(value, places) + 0.0


def short(value: float | None, unit: Unit) -> str:
    """Without its unit, for cells.

    >>> short(-0.0214, "points"), short(0.314, "number")
    ('-2.1', '0.31')
    """
    return format_value(value, unit).removesuffix(" points").removesuffix("%")


def mark_tip(mark: Mark, unit: Unit, *about: str) -> str:
    """On lines of its own: what it is about, the value with its interval, n and gold, p, the note."""
    basis = [f"n = {thousands(mark.n)}"]
    if mark.n_gold is not None:
        basis.append(f"{thousands(mark.n_gold)} with gold")
    if mark.p is not None:
        basis.append(p_in_words(mark.p))
    return tip_text(
        " · ".join(word for word in about if word), _phrase(mark, unit), ", ".join(basis), mark.note
    )


def _phrase(mark: Mark, unit: Unit) -> str:
    if mark.value is None:
        return "no estimate"
    if mark.low is None or mark.high is None:
        return format_value(mark.value, unit)
    return (
        f"{format_value(mark.value, unit)}, 95% interval {short(mark.low, unit)} to {short(mark.high, unit)}"
    )


def ticks_of(
    chart: ChartData, marks: Sequence[Mark], *, also: float | None, wanted: int = 4
) -> list[tuple[float, str]]:
    """Round numbers inside the limits."""
    low, high = limits_of(chart, marks, also=also)
    scale = 1.0 if chart.unit == "number" else 100.0
    found = nice_ticks(low * scale, high * scale, wanted)
    return [(at / scale, tick(at / scale, chart.unit)) for at in found if low <= at / scale <= high]
