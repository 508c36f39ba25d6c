"""What a mark of a report's chart says: its value, its interval, and what it rests on."""

from __future__ import annotations

from analysis.report.charts import Mark, Unit
from analysis.values import Way, p_in_words
from backend.core.web.charts.svg import tip_text
from backend.core.web.formats import NOTHING, thousands

WAY_WORDS = {Way.NAIVE: "Naive", Way.CORRECTED: "Corrected", Way.GOLD: "Gold alone"}


def written(value: float | None, unit: Unit) -> str:
    """
    >>> written(0.123, "percent"), written(-0.0214, "points"), written(0.314, "number"), written(None, "number")
    ('12.3%', '-2.1 points', '0.31', '–')
    """
    if value is None:
        return NOTHING
    if unit == "number":
        return f"{_rounded(value, 2):,.2f}"
    number = f"{_rounded(100 * value, 1):,.1f}"
    return f"{number}%" if unit == "percent" else f"{number} points"


def _rounded(value: float, places: int) -> float:
    """Never minus zero."""
    return round(value, places) + 0.0


def short(value: float | None, unit: Unit) -> str:
    """Without its unit, for cells.

    >>> short(-0.0214, "points"), short(0.314, "number")
    ('-2.1', '0.31')
    """
    return written(value, unit).removesuffix(" points").removesuffix("%")


def in_cell(value: float, unit: Unit) -> str:
    """As narrow as it can be: correlations without the zero before the point.

    >>> in_cell(0.314, "number"), in_cell(-1.0, "number"), in_cell(0.05, "points")
    ('.31', '-1.00', '5.0')
    """
    return (
        short(value, unit).replace("0.", ".", 1)
        if unit == "number" and abs(value) < 1
        else short(value, unit)
    )


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
        return written(mark.value, unit)
    return f"{written(mark.value, unit)}, 95% interval {short(mark.low, unit)} to {short(mark.high, unit)}"
