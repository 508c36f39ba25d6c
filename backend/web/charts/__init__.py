"""Charts drawn on the server as SVG: no script is needed to see one, and labels are always escaped."""

from backend.web.charts.bars import bar_chart, grouped_bar_chart
from backend.web.charts.histograms import histogram
from backend.web.charts.intervals import dot_interval_chart
from backend.web.charts.lines import MixedAxis, line_chart
from backend.web.charts.model import (
    Bar,
    BarChart,
    Bin,
    Chart,
    DataTable,
    DotIntervalChart,
    Estimate,
    GroupedBarChart,
    Histogram,
    LineChart,
    LineSeries,
    Series,
    UnevenSeries,
    UnplottableValue,
)

__all__ = [
    "Bar",
    "BarChart",
    "Bin",
    "Chart",
    "DataTable",
    "DotIntervalChart",
    "Estimate",
    "GroupedBarChart",
    "Histogram",
    "LineChart",
    "LineSeries",
    "MixedAxis",
    "Series",
    "UnevenSeries",
    "UnplottableValue",
    "bar_chart",
    "dot_interval_chart",
    "grouped_bar_chart",
    "histogram",
    "line_chart",
]
