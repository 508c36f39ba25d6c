"""Panels of a heatmap: what goes with what, pale where the interval includes 0."""

from __future__ import annotations

from django.utils.safestring import SafeString

from analysis.report.chart_axes import cell_text
from analysis.report.charts import HeatmapChart, HeatmapPanel, Mark
from analysis.report.wording import way_name
from backend.core.web.charts.report.marks import mark_tip
from backend.core.web.charts.svg import (
    Frame,
    document,
    draw_mark,
    fit,
    label_column,
    label_lines,
    rect,
    slanted_text,
    text,
    text_width,
)

_WIDTH, _LABELS, _ROW, _STEPS, _WIDEST = 620, 180, 32, 6, 72
_SLANT_ROOM, _RISE, _REACH = 190, 0.58, 0.82


def cells_panel(chart: HeatmapChart, panel: HeatmapPanel) -> SafeString:
    left = min(label_column(panel.rows, _WIDTH), _LABELS)
    room = min(max(map(text_width, panel.columns), default=0.0), _SLANT_ROOM)
    cell = min((_WIDTH - left - room * _REACH) / (len(panel.columns) - 0.6), _WIDEST)
    top = room * _RISE + 16
    frame = Frame(_WIDTH, top + _ROW * len(panel.rows) + 4, left, _WIDTH, top, top + _ROW * len(panel.rows))
    shapes = [
        slanted_text(left + (place + 0.4) * cell, top - 7, fit(name, _SLANT_ROOM), "label")
        for place, name in enumerate(panel.columns)
    ]
    for y, (name, row) in enumerate(zip(panel.rows, panel.cells, strict=True)):
        shapes += label_lines(0, top + (y + 0.5) * _ROW, name, left - 8)
        for x, mark in enumerate(row):
            if mark is not None:
                about = (f"{name} · {panel.columns[x]}", panel.title)
                shapes.append(_cell(chart, about, mark, left + x * cell, top + y * _ROW, cell))
    summary = (
        f"{chart.title}, {panel.title}: heatmap of {len(panel.rows)} rows and {len(panel.columns)} columns."
    )
    return document(frame, summary, shapes)


def _cell(
    chart: HeatmapChart, about: tuple[str, str], mark: Mark, x: float, y: float, cell: float
) -> SafeString:
    tip = mark_tip(mark, chart.unit, *about, way_name(chart.way).lower())
    if mark.value is None:
        return draw_mark(tip, [rect(x + 1, y + 1, cell - 2, _ROW - 2, "heat-none cell", 3)])
    kind = "" if mark.is_clear else " is-unclear"
    shapes = [rect(x + 1, y + 1, cell - 2, _ROW - 2, f"cell {heat_step(mark.value / chart.limit)}{kind}", 3)]
    words = cell_text(mark.value, chart.unit)
    if text_width(words) <= cell + 4:
        shapes.append(text(x + cell / 2, y + 20, words, f"cell{kind}", "middle"))
    return draw_mark(tip, shapes)


def heat_step(share: float) -> str:
    """
    >>> heat_step(0.5), heat_step(-2.0), heat_step(-0.01)
    ('heat-3', 'rust-6', 'heat-0')
    """
    step = min(round(abs(share) * _STEPS), _STEPS)
    return f"rust-{step}" if share < 0 and step else f"heat-{step}"
