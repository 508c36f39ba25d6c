"""What all figures have: a legend above, amounts along an axis, a name below it."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator

from analysis.report.chart_axes import tick
from analysis.report.charts import Unit
from analysis.report.figures.style import RULE

LEGEND = 0.24


def show_amounts(axes: Axes, unit: Unit, *, on_y: bool = False, with_numbers: bool = True) -> None:
    axis = axes.yaxis if on_y else axes.xaxis
    axis.set_major_locator(MaxNLocator(nbins=4, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(FuncFormatter(lambda value, _: tick(value, unit) if with_numbers else ""))
    axes.grid(axis="y" if on_y else "x", color=RULE, linewidth=0.4)
    axes.set_axisbelow(True)


def name_below(figure: Figure, left: float, right: float, name: str) -> None:
    """In the middle of the panels, which begin and end so many inches from the sides."""
    width, height = figure.get_size_inches()
    figure.text(
        (left + (width - right)) / 2 / width, 0.05 / height, name, ha="center", va="bottom", fontsize=7
    )


def legend(figure: Figure, entries: Sequence[tuple[str, str, str, bool]]) -> None:
    """Name, colour, shape and whether it is open, of each; on one line at the top right."""
    handles = [
        Line2D(
            [],
            [],
            color=colour,
            marker=shape,
            markersize=3.4,
            linewidth=0.9,
            markerfacecolor="white" if is_open else colour,
            markeredgewidth=0.8,
            label=name,
        )
        for name, colour, shape, is_open in entries
    ]
    figure.legend(
        handles=handles,
        loc="upper right",
        ncols=len(handles),
        borderaxespad=0.3,
        columnspacing=1.4,
        handlelength=1.6,
        handletextpad=0.5,
    )
