"""Charts drawn on the server as SVG: no script is needed to see one, and labels are always escaped."""

from backend.core.web.charts.bars import bar_chart, grouped_bar_chart
from backend.core.web.charts.heatmaps import heatmap
from backend.core.web.charts.histograms import histogram
from backend.core.web.charts.intervals import dot_interval_chart
from backend.core.web.charts.lines import MixedAxis, line_chart
from backend.core.web.charts.model import (
    Band,
    Bar,
    BarChart,
    Bin,
    Chart,
    DataTable,
    DotIntervalChart,
    Estimate,
    GroupedBarChart,
    Heatmap,
    Histogram,
    LineChart,
    LineSeries,
    Series,
    UnevenRows,
    UnevenSeries,
    UnplottableValue,
)

__all__ = [
    "Band",
    "Bar",
    "BarChart",
    "Bin",
    "Chart",
    "DataTable",
    "DotIntervalChart",
    "Estimate",
    "GroupedBarChart",
    "Heatmap",
    "Histogram",
    "LineChart",
    "LineSeries",
    "MixedAxis",
    "Series",
    "UnevenRows",
    "UnevenSeries",
    "UnplottableValue",
    "bar_chart",
    "dot_interval_chart",
    "grouped_bar_chart",
    "heatmap",
    "histogram",
    "line_chart",
]
