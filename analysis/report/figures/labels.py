"""Numbers as they stand on axes and in cells."""

from analysis.report.charts import Unit

_MINUS = "\N{MINUS SIGN}"


def tick(value: float, unit: Unit) -> str:
    """
    >>> tick(0.125, "percent"), tick(0.05, "points"), tick(0.5, "number"), tick(-0.0, "percent")
    ('12.5%', '5', '0.5', '0%')
    """
    number = round(value if unit == "number" else 100 * value, 6) or 0.0
    return f"{number:.6g}{'%' if unit == 'percent' else ''}".replace("-", _MINUS)


def cell_text(value: float, unit: Unit) -> str:
    """Of a correlation two digits without the zero before them; percentage points with one.

    >>> cell_text(0.314, "number"), cell_text(0.031, "points"), cell_text(-0.001, "number")
    ('.31', '3.1', '.00')
    """
    if unit != "number":
        return f"{round(100 * value, 1) or 0.0:.1f}".replace("-", _MINUS)
    return f"{round(value, 2) or 0.0:.2f}".replace("0.", ".", 1).replace("-", _MINUS)
