"""Numbers as cells of a report's tables."""

from collections.abc import Mapping, Sequence

from analysis.report.content import Cell
from analysis.tables import stars
from analysis.values import Finding

NOTHING = "–"
NO_CELL = Cell(text="", is_muted=True)


def cell_of(found: Finding, *, digits: int = 2, in_percent: bool = False) -> Cell:
    """The estimate with stars by Holm's p; its sentence and note are the tip."""
    return _cell(found, found.estimate.value, digits, in_percent)


def statistic_cell(found: Finding, *, digits: int = 2, in_brackets: bool = False) -> Cell:
    """The statistic of the test, with stars unless it stands in brackets beside an estimate that has them."""
    made = _cell(found, found.test.statistic, digits, False)
    if in_brackets:
        return Cell(text=f"({made.text})", tip=made.tip, is_muted=made.is_muted)
    return made


def interval_cell(found: Finding, *, digits: int = 2, in_percent: bool = False) -> Cell:
    low, high = found.estimate.low, found.estimate.high
    if low is None or high is None:
        return Cell(text=NOTHING, tip=found.note, is_muted=True)
    return Cell(text=f"[{format_number(low, digits, in_percent)}, {format_number(high, digits, in_percent)}]")


def weight_cell(found: Finding) -> Cell:
    """λ of a corrected estimate."""
    if found.weight is None or found.estimate.value is None:
        return Cell(text=NOTHING, is_muted=True)
    return Cell(text=format_number(found.weight, 2))


def plain_cell(found: Finding, *, digits: int = 2, in_percent: bool = False) -> Cell:
    """Without stars: of what is not tested, such as a mean."""
    made = _cell(found, found.estimate.value, digits, in_percent)
    return Cell(text=made.text, tip=made.tip, is_muted=made.is_muted)


def _cell(found: Finding, value: float | None, digits: int, in_percent: bool) -> Cell:
    tip = f"{found.sentence} {found.note}".strip()
    if value is None:
        return Cell(text=NOTHING, tip=tip, is_muted=True)
    return Cell(text=format_number(value, digits, in_percent), stars=stars(found.test.p_holm), tip=tip)


def format_number(value: float, digits: int, in_percent: bool = False) -> str:
    """With a minus sign, never as minus zero.

    >>> format_number(0.13014, 2, True), format_number(-0.0001, 2), format_number(12701.576, 2)
    ('13.01', '0.00', '12,701.58')
    """
    text = f"{100 * value if in_percent else value:,.{digits}f}"
    if float(text.replace(",", "")) == 0:
        return text.removeprefix("-")
    return text.replace("-", "\N{MINUS SIGN}")


_MOST_NAMED = 6


def notes_of(findings: Sequence[Finding], names: Mapping[str, str]) -> tuple[str, ...]:
    """
    >>> notes_of((), {})
    ()
    """
    about: dict[str, dict[str, None]] = {}
    for found in findings:
        if found.note:
            about.setdefault(found.note, {})[_what(found, names)] = None
    return tuple(f"{note} ({_some(list(what))})" for note, what in about.items())


def _what(found: Finding, names: Mapping[str, str]) -> str:
    codes = " and ".join(f"“{names.get(code, code)}”" for code in (found.code, found.other) if code)
    return f"{codes} in {found.where}" if found.where else codes


def _some(what: Sequence[str]) -> str:
    named = "; ".join(what[:_MOST_NAMED])
    more = len(what) - _MOST_NAMED
    return f"{named}; and {more} more" if more > 0 else named
