"""Figures for print: whole, readable and without anything that changes from day to day."""

import re

import msgspec
import numpy as np
import polars as pl
import pytest
from matplotlib.lines import Line2D

from analysis.labelled import LabelledCorpus, labelled_corpus
from analysis.report.build import build_report
from analysis.report.charts import (
    ChartData,
    HeatmapChart,
    HeatmapPanel,
    IntervalChart,
    LineChart,
    Mark,
    Panel,
    Series,
    colour_limit,
)
from analysis.report.figures.draw import figure_bytes
from analysis.report.figures.heatmaps import heatmaps_figure
from analysis.report.figures.intervals import intervals_figure
from analysis.report.figures.layout import break_to_fit, widest
from analysis.report.figures.lines import lines_figure
from analysis.report.figures.style import RULE
from analysis.report.material import ReportInput
from analysis.values import MODEL_WAYS, Way
from tests.analysis.report.report_fixtures import FACTS, built_report, given_report

REPORT = built_report(n_posts=600, n_gold=250)
LONG = "Offering reassurance, encouragement, good wishes and whatever else a name may have in it"
MARKS = (
    Mark(value=-0.4, low=-0.9, high=0.1, n=40),
    Mark(value=None, note="Undefined."),
    Mark(value=0.2, low=None, high=None, n=3),
    Mark(value=0.9, low=-80.0, high=80.0, n=12),
)


def intervals(labels: tuple[str, ...], marks: tuple[Mark, ...], n_panels: int = 1) -> IntervalChart:
    both = tuple(Series(name="", way=way, marks=marks) for way in MODEL_WAYS)
    panels = tuple(Panel(title=f"{LONG} {at}", labels=labels, series=both) for at in range(n_panels))
    return IntervalChart(name="dots", title="Dots", caption="", axis="More", panels=panels, reference=0.0)


def lines(marks: tuple[Mark, ...]) -> LineChart:
    labels = tuple(f"20{10 + at}-04-01" for at in range(len(marks)))
    panel = Panel(title=LONG, labels=labels, series=(Series(name="", way=Way.NAIVE, marks=marks),))
    return LineChart(name="lines", title="Lines", caption="", axis="Share", unit="percent", panels=(panel,))


def heatmap(n_rows: int, n_columns: int) -> HeatmapChart:
    cells = tuple(tuple(MARKS[(x + y) % 4] for x in range(n_columns)) for y in range(n_rows))
    panel = HeatmapPanel(
        title="r/a",
        rows=tuple(f"{LONG} {at}" for at in range(n_rows)),
        columns=tuple(f"community {at}" for at in range(n_columns)),
        cells=cells,
    )
    return HeatmapChart(
        name="cells",
        title="Cells",
        caption="",
        axis="r",
        pair="cells",
        way=Way.NAIVE,
        panels=(panel,),
        symbol="r",
    )


STRANGE: dict[str, ChartData] = {
    "all kinds of marks": intervals(("a", "b", "c", "d"), MARKS),
    "nothing known": intervals(("a",), (Mark(value=None),)),
    "all the same": intervals(("a", "b"), (Mark(value=0.0), Mark(value=0.0))),
    "thirteen codes with long names": intervals((LONG,) * 13, (MARKS * 4)[:13], n_panels=7),
    "names that are no formulas": intervals(("a $x$ & b_c^d $", "100%"), MARKS[:2]),
    "other scripts": intervals(("共情", "сочувствие"), MARKS[:2]),
    "a broken line": lines(MARKS),
    "one period": lines(MARKS[:1]),
    "no period known": lines((Mark(value=None),)),
    "a lonely cell": heatmap(1, 1),
    "many communities": heatmap(13, 40),
}


@pytest.mark.parametrize("chart", STRANGE.values(), ids=list(STRANGE))
def test_strange_charts_are_drawn(chart: ChartData) -> None:
    assert figure_bytes(chart, "svg").startswith(b"<?xml")
    assert figure_bytes(chart, "pdf").startswith(b"%PDF")


@pytest.mark.slow
@pytest.mark.parametrize("chart", REPORT.charts, ids=lambda chart: chart.name)
def test_figures_fit_the_page_and_have_fonts_and_no_dates(chart: ChartData) -> None:
    pdf, svg = figure_bytes(chart, "pdf"), figure_bytes(chart, "svg").decode()
    box = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", pdf)
    assert box and float(box[1]) <= 7 * 72 + 1
    assert b"/FontFile2" in pdf and b"/CreationDate" not in pdf and b"/Type3" not in pdf
    assert "<dc:date>" not in svg and "<text" not in svg and f"<dc:title>{chart.title}" in svg


def test_the_same_chart_has_the_same_bytes() -> None:
    for chart in (STRANGE["a broken line"], STRANGE["all kinds of marks"]):
        assert figure_bytes(chart, "pdf") == figure_bytes(chart, "pdf")
        assert figure_bytes(chart, "svg") == figure_bytes(chart, "svg")


def test_names_are_broken_into_lines_of_about_one_length() -> None:
    assert break_to_fit("Showing interest in further elaboration", 1.6).splitlines() == [
        "Showing interest in",
        "further elaboration",
    ]
    cut = break_to_fit(LONG, 1.2)
    assert len(cut.splitlines()) == 2 and cut.endswith("…") and widest([cut]) <= 1.3
    assert break_to_fit("x" * 200, 1.0).endswith("…") and widest([break_to_fit("x" * 200, 1.0)]) <= 1.0


def test_colours_end_at_the_largest_value_whose_sign_is_known() -> None:
    clear = Mark(value=-0.23, low=-0.3, high=-0.1)
    cells = ((clear, Mark(value=0.9, low=-0.1, high=1.0), None, Mark(value=None)),)
    panel = HeatmapPanel(title="", rows=("a",), columns=("b", "c", "d", "e"), cells=cells)
    assert colour_limit([panel], at_least=0.1) == 0.3
    assert colour_limit([], at_least=0.2) == 0.2


def scattered(part: LabelledCorpus | None, n: int) -> LabelledCorpus:
    """Its posts in so many communities."""
    assert part
    names = (pl.col("post").cast(pl.Int64()) % n).cast(pl.String())
    items = part.items.with_columns((pl.lit("community ") + names).alias("community")).drop(
        "platform", "topic"
    )
    return labelled_corpus(items, part=part.part, codes=part.codes)


@pytest.mark.slow
def test_forty_communities_have_their_figures() -> None:
    given = given_report(n_posts=600, n_gold=250)
    report = build_report(ReportInput(scattered(given.posts, 40), scattered(given.replies, 40), FACTS))
    for chart in report.charts:
        if chart.name in ("differences-by-community-corrected", "together-posts-corrected"):
            assert figure_bytes(chart, "svg")
    shown = next(chart for chart in report.charts if chart.name == "distribution-posts")
    assert isinstance(shown, IntervalChart) and len(shown.panels) == 12


def shares(*marks: Mark) -> IntervalChart:
    panel = Panel(
        title="Posts",
        labels=tuple(f"code {at}" for at in range(len(marks))),
        series=(Series(name="", way=Way.CORRECTED, marks=marks),),
    )
    return IntervalChart(name="s", title="S", caption="", axis="Share", unit="percent", panels=(panel,))


def along(line: Line2D) -> tuple[list[float], list[float]]:
    return np.asarray(line.get_xdata()).tolist(), np.asarray(line.get_ydata()).tolist()


def test_shares_are_drawn_from_0_to_100_percent_and_what_lies_outside_has_its_number_at_the_edge() -> None:
    wild = (Mark(value=0.4, low=-1.9, high=2.1), Mark(value=-0.276, low=-0.6, high=-0.1), Mark(value=1.2))
    figure = intervals_figure(shares(*wild))
    (axes,) = figure.axes
    assert axes.get_xlim() == (0.0, 1.0)
    assert all(0 <= x <= 1 for line in axes.lines for x in along(line)[0])
    assert {text.get_text() for text in axes.texts} == {"\N{MINUS SIGN}27.6%", "120%"}
    # The interval that lies below 0 altogether is not drawn on the axis as if it were there
    whiskers = [along(line)[0] for line in axes.lines if line.get_color() != RULE]
    assert [places for places in whiskers if len(places) == 2] == [[0.0, 1.0]]


def test_courses_of_shares_go_from_0_to_100_percent_with_the_number_of_what_lies_outside() -> None:
    marks = (Mark(value=-0.4, low=-0.9, high=0.1), Mark(value=0.2), Mark(value=1.1))
    (axes,) = lines_figure(lines(marks)).axes
    assert axes.get_ylim() == (0.0, 1.0)
    assert {text.get_text() for text in axes.texts} == {"\N{MINUS SIGN}40%", "110%"}
    assert all(y >= 0 for line in axes.lines for y in along(line)[1])


def test_the_name_of_a_colour_bar_stands_clear_of_its_numbers() -> None:
    figure = heatmaps_figure(
        msgspec.structs.replace(heatmap(4, 6), symbol="points", unit="points", limit=0.2)
    )
    figure.draw_without_rendering()
    bar = figure.axes[-1]
    number = next(label for label in bar.get_yticklabels() if label.get_text() == "20")
    name, box = bar.title.get_window_extent(), number.get_window_extent()
    assert name.y0 >= box.y1 and name.y1 <= figure.bbox.height


def test_names_are_whole_and_the_ends_of_axes_do_not_meet() -> None:
    name = "Offering reassurance, encouragement, or good wishes"
    mark = Mark(value=0.3, low=0.2, high=0.4)
    panels = tuple(
        Panel(title=title, labels=(name,), series=(Series(name="", way=Way.CORRECTED, marks=(mark,)),))
        for title in ("r/a", "r/b")
    )
    chart = IntervalChart(name="s", title="S", caption="", axis="Share", unit="percent", panels=panels[:1])
    (axes,) = intervals_figure(chart).axes
    assert axes.get_yticklabels()[0].get_text().replace("\n", " ") == name
    beside = intervals_figure(msgspec.structs.replace(chart, panels=panels))
    first, second = (each.get_position() for each in beside.axes)
    width = float(beside.get_size_inches()[0])
    assert width * (second.x0 - first.x1) > (widest(["100%"]) + widest(["0%"])) / 2 + 0.05
    assert width * (1 - second.x1) > widest(["100%"]) / 2
