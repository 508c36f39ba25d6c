"""A chart as the bytes of a figure. No dates, no random ids: the same chart gives the same bytes."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Literal

from matplotlib.figure import Figure

from analysis.report.charts import ChartData, HeatmapChart, IntervalChart
from analysis.report.figures.heatmaps import heatmaps_figure
from analysis.report.figures.intervals import intervals_figure
from analysis.report.figures.lines import lines_figure
from analysis.report.figures.style import house_style

Format = Literal["pdf", "svg", "png"]
_METADATA: dict[Format, dict[str, str | None]] = {
    "pdf": {"CreationDate": None, "Producer": "Attune", "Creator": "Attune"},
    "svg": {"Date": None, "Creator": "Attune"},
    "png": {"Software": None},
}
_DPI = 200


def figure_bytes(chart: ChartData, file_format: Format) -> bytes:
    return draw(chart, (file_format,)).files[file_format]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A figure in each format, and how wide it is."""

    files: dict[Format, bytes]
    inches: float


def draw(chart: ChartData, formats: Sequence[Format] = ("pdf", "svg")) -> Drawn:
    """Drawn once, and written in each format."""
    with house_style(), warnings.catch_warnings():
        # A name in a script that the font lacks has boxes in its place, and is whole in the tables.
        warnings.filterwarnings("ignore", message="Glyph")
        figure = _figure(chart)
        files = {file_format: _render(figure, chart, file_format) for file_format in formats}
        return Drawn(files, float(figure.get_size_inches()[0]))


def _render(figure: Figure, chart: ChartData, file_format: Format) -> bytes:
    written = BytesIO()
    metadata = {**_METADATA[file_format]}
    if file_format != "png":
        metadata["Title"] = chart.title
    figure.savefig(written, format=file_format, dpi=_DPI, metadata=metadata)
    return written.getvalue()


def _figure(chart: ChartData) -> Figure:
    if isinstance(chart, IntervalChart):
        return intervals_figure(chart)
    if isinstance(chart, HeatmapChart):
        return heatmaps_figure(chart)
    return lines_figure(chart)
