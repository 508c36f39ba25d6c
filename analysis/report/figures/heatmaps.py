"""Correlations and differences in colour, with the numbers in the cells. What may be 0 is pale."""

from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize, to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from analysis.report.chart_axes import cell_text, tick
from analysis.report.charts import HeatmapChart, HeatmapPanel, Mark
from analysis.report.figures.layout import TITLE_SIZE, Room, break_to_fit, place_axes, tallest, widest
from analysis.report.figures.style import DIVERGING, GREY, INK, PAGE, RULE

_WIDEST, _NARROWEST, _HIGH, _BAR = 0.46, 0.25, 0.24, 0.62
# Of a panel with few columns, so that its title has room.
_LEAST = 1.15
_ROW_NAMES, _COLUMN_NAMES = 1.6, 1.5
# Of what may be 0, how much of its colour is left.
_PALE = 0.25
_MOST_ACROSS, _GAP = 4, 0.12


def heatmaps_figure(chart: HeatmapChart) -> Figure:
    """Panels with the same codes share the names, side by side; others stand one below the other."""
    panels = chart.panels
    has_same_columns = len({panel.columns for panel in panels}) == 1
    is_shared = has_same_columns and len({panel.rows for panel in panels}) == 1
    names = {name: break_to_fit(name, _ROW_NAMES) for panel in panels for name in panel.rows}
    heads = {name: break_to_fit(name, _COLUMN_NAMES) for panel in panels for name in panel.columns}
    left = widest(list(names.values())) + (0.26 if chart.row_axis else 0.08)
    n_columns = max(len(panel.columns) for panel in panels)
    free = PAGE - left - _BAR
    across = _across(len(panels), n_columns, free) if is_shared else 1
    cell = min(max(_WIDEST, _LEAST / n_columns), (free - _GAP * (across - 1)) / across / n_columns)
    rows = [panels[at : at + across] for at in range(0, len(panels), across)]
    below = widest(list(heads.values())) + (0.24 if chart.column_axis else 0.08)
    inside = max(n_columns * cell, 1.0 if across == 1 else 0.0)
    titles = {
        panel.title: break_to_fit(panel.title, inside, size=TITLE_SIZE, is_bold=True) for panel in panels
    }
    room = Room(
        left=left,
        right=_BAR,
        top=0.02,
        bottom=below,
        above=[tallest([titles[each.title] for each in row], TITLE_SIZE) + 0.08 for row in rows],
        between_rows=0.06 if has_same_columns else below + 0.06,
        between_columns=_GAP,
    )
    width = left + _BAR + across * n_columns * cell + _GAP * (across - 1)
    heights = [len(row[0].rows) * _HIGH for row in rows]
    figure, grid = place_axes(width, heights, [len(row) for row in rows], room, across=across)
    for index, (row, places) in enumerate(zip(rows, grid, strict=True)):
        under = rows[index + 1] if index + 1 < len(rows) else ()
        for at, (panel, axes) in enumerate(zip(row, places, strict=True)):
            axes.set_title(titles[panel.title], pad=4)
            _frame(axes, panel)
            is_lowest = not has_same_columns or at >= len(under)
            axes.set_yticks(range(len(panel.rows)), [names[name] if not at else "" for name in panel.rows])
            axes.set_xticks(
                range(len(panel.columns)),
                [heads[name] if is_lowest else "" for name in panel.columns],
                rotation=90,
                linespacing=0.95,
            )
            axes.set_xlabel(chart.column_axis if is_lowest else "")
            axes.set_ylabel(chart.row_axis if not at else "")
            _cells(axes, panel, chart, has_text=cell >= _NARROWEST)
    _colour_bar(figure, chart, room)
    return figure


def _across(n_panels: int, n_columns: int, free: float) -> int:
    """As many as leave room for numbers in the cells, in rows that are about full."""
    fitting = int((free + _GAP) / (max(n_columns * _NARROWEST, _LEAST) + _GAP))
    most = max(1, min(_MOST_ACROSS, n_panels, fitting))
    return -(-n_panels // -(-n_panels // most))


def _frame(axes: Axes, panel: HeatmapPanel) -> None:
    axes.set_xlim(-0.5, len(panel.columns) - 0.5)
    axes.set_ylim(len(panel.rows) - 0.5, -0.5)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _cells(axes: Axes, panel: HeatmapPanel, chart: HeatmapChart, *, has_text: bool) -> None:
    for y, row in enumerate(panel.cells):
        for x, mark in enumerate(row):
            if mark is not None:
                _cell(axes, x, y, mark, chart, has_text=has_text)


def _cell(axes: Axes, x: int, y: int, mark: Mark, chart: HeatmapChart, *, has_text: bool) -> None:
    if mark.value is None:
        axes.add_patch(
            Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor="white", edgecolor=RULE, hatch="/////", linewidth=0)
        )
        axes.text(x, y, "–", ha="center", va="center", color=GREY, fontsize=5.5)
        return
    strength = 0.5 + mark.value / chart.limit / 2
    colour = to_rgb(DIVERGING(min(max(strength, 0.0), 1.0)))
    if not mark.is_clear:
        colour = tuple(1 - _PALE * (1 - part) for part in colour)  # type: ignore[assignment]
    axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=colour, edgecolor="white", linewidth=0.8))
    if has_text:
        written = cell_text(mark.value, chart.unit)
        ink = GREY if not mark.is_clear else "white" if _is_dark(colour) else INK
        axes.text(x, y, written, ha="center", va="center", color=ink, fontsize=5.6)


def _is_dark(colour: tuple[float, float, float]) -> bool:
    red, green, blue = colour
    return 0.299 * red + 0.587 * green + 0.114 * blue < 0.55


def _colour_bar(figure: Figure, chart: HeatmapChart, room: Room) -> None:
    """At the right of the panels, at most two inches high."""
    width, height = figure.get_size_inches()
    inside = height - room.top - room.bottom - room.above[0]
    high = min(inside, 2.0)
    bottom = room.bottom + (inside - high) / 2
    place = figure.add_axes(((width - _BAR + 0.14) / width, bottom / height, 0.08 / width, high / height))
    bar = figure.colorbar(ScalarMappable(Normalize(-chart.limit, chart.limit), DIVERGING), cax=place)
    bar.outline.set_visible(False)
    place.set_yticks(
        [part * chart.limit for part in (-1, -0.5, 0, 0.5, 1)],
        [tick(part * chart.limit, chart.unit) for part in (-1, -0.5, 0, 0.5, 1)],
    )
    place.tick_params(length=0, labelsize=6)
    place.set_title(chart.symbol, fontsize=6.5, fontweight="normal", loc="center", pad=7)
