"""Charts draw what they are given, escape it, explain emptiness and refuse what cannot be drawn."""

import math
from datetime import date

import pytest
from django.template import Context, Template
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree, html

from backend.core.web.charts import (
    Band,
    Bar,
    BarChart,
    Bin,
    Chart,
    DotIntervalChart,
    Estimate,
    GroupedBarChart,
    Heatmap,
    Histogram,
    LineChart,
    LineSeries,
    MixedAxis,
    Series,
    UnevenRows,
    UnevenSeries,
    UnplottableValue,
    bar_chart,
    dot_interval_chart,
    grouped_bar_chart,
    heatmap,
    histogram,
    line_chart,
)
from backend.core.web.style_page import example_charts

HOSTILE = "\"><script>alert(1)</script>&'"
# Control characters and surrogates cannot stand in XML, which this test reads the drawing as.
labels = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn")), max_size=60)
amounts = st.floats(min_value=-1e15, max_value=1e15, allow_nan=False)


def drawing(chart: Chart) -> etree._Element:
    return etree.fromstring(chart.svg.encode())


def tips(chart: Chart) -> list[str]:
    # Read as HTML, as browsers do: XML would turn the line breaks of an attribute into spaces.
    return [str(mark.get("data-tip")) for mark in html.fromstring(chart.svg).iterfind(".//*[@data-tip]")]


def bars_of(chart: Chart) -> list[tuple[float, float]]:
    """Where each bar starts and how long it is."""
    marks = [mark for mark in drawing(chart).iter("rect") if "mark-fill" in str(mark.get("class"))]
    return [(float(str(mark.get("x"))), float(str(mark.get("width")))) for mark in marks]


def hostile_charts() -> list[Chart]:
    return [
        bar_chart(BarChart(HOSTILE, (Bar(HOSTILE, 1, HOSTILE),), unit=HOSTILE, note=HOSTILE)),
        grouped_bar_chart(GroupedBarChart(HOSTILE, (HOSTILE,), (Series(HOSTILE, (1,)),), unit=HOSTILE)),
        histogram(Histogram(HOSTILE, (Bin(0, 1, 2),), x_label=HOSTILE, unit=HOSTILE)),
        line_chart(
            LineChart(HOSTILE, (LineSeries(HOSTILE, ((1, 2), (2, 3))),), x_label=HOSTILE, unit=HOSTILE)
        ),
        dot_interval_chart(
            DotIntervalChart(
                HOSTILE,
                (Estimate(HOSTILE, 0.5, 0.4, 0.6, HOSTILE),),
                unit=HOSTILE,
                bands=(Band(HOSTILE, 0, 1),),
            )
        ),
        heatmap(Heatmap(HOSTILE, (HOSTILE,), (HOSTILE,), ((0.5,),), unit=HOSTILE)),
    ]


@pytest.mark.parametrize("chart", hostile_charts())
def test_labels_are_escaped(chart: Chart) -> None:
    assert "<script" not in chart.svg
    assert any(HOSTILE in tip for tip in tips(chart))
    page = Template("{% chart_figure chart %}").render(Context({"chart": chart}))
    assert "<script" not in page


@pytest.mark.parametrize("chart", [chart for chart in example_charts().values() if chart.svg])
def test_every_drawing_is_an_image_with_a_name_and_marks_inside_its_frame(chart: Chart) -> None:
    svg = drawing(chart)
    assert svg.get("role") == "img"
    assert chart.title in str(svg.get("aria-label"))
    assert tips(chart)
    width, height = (float(size) for size in str(svg.get("viewBox")).split()[2:])
    for rect in svg.iter("rect"):
        x, y, w, h = (float(str(rect.get(side))) for side in ("x", "y", "width", "height"))
        assert -0.01 <= x <= x + w <= width + 0.01
        assert -0.01 <= y <= y + h <= height + 0.01


@given(st.lists(st.tuples(labels, amounts), min_size=1, max_size=12))
def test_bars_are_as_long_as_their_values(pairs: list[tuple[str, float]]) -> None:
    chart = bar_chart(BarChart("Any", [Bar(label, value) for label, value in pairs]))
    assert len(chart.table.rows) == len(pairs)
    if not chart.svg:
        assert all(value == 0 for _, value in pairs)
        return
    widths = [width for _, width in bars_of(chart)]
    order = sorted(range(len(pairs)), key=lambda index: abs(pairs[index][1]))
    # Both ends of a bar are rounded to a hundredth
    assert [widths[index] for index in order] == pytest.approx(sorted(widths), abs=0.02)


@given(st.lists(st.tuples(st.dates(), amounts), min_size=1, max_size=20, unique_by=lambda point: point[0]))
def test_a_line_reads_every_place_once(points: list[tuple[date, float]]) -> None:
    chart = line_chart(LineChart("Any", (LineSeries("One", points),)))
    assert len(tips(chart)) == len(points) == len(chart.table.rows)


def test_a_place_reads_every_series_there() -> None:
    lines = (LineSeries("A", ((1, 5), (2, 6))), LineSeries("B", ((2, 7),)))
    chart = line_chart(LineChart("Two", lines, unit="posts"))
    assert tips(chart) == ["1\nA: 5 posts", "2\nA: 6 posts\nB: 7 posts"]
    assert chart.table.rows == (("1", "5", "–"), ("2", "6", "7"))
    assert chart.legend == ("A", "B")


def test_stacked_segments_follow_each_other() -> None:
    series = (Series("A", (30,)), Series("B", (20,)))
    chart = grouped_bar_chart(GroupedBarChart("Stack", ("x",), series, stacked=True))
    (first, length), (second, rest) = bars_of(chart)
    assert first + length == pytest.approx(second)
    assert length == pytest.approx(1.5 * rest, rel=1e-3)


def test_an_open_bin_says_so() -> None:
    chart = histogram(Histogram("Lengths", (Bin(0, 50, 3), Bin(50, None, 1)), x_label="Words"))
    assert chart.table.rows == (("0 to under 50", "3"), ("50 and over", "1"))


def test_an_estimate_that_is_missing_keeps_its_row() -> None:
    estimates = (Estimate("Seen", 0.5, 0.4, 0.6), Estimate("Never used", None))
    chart = dot_interval_chart(DotIntervalChart("Kappa", estimates, lower=0, upper=1))
    assert tips(chart) == ["Seen\n0.50 [0.40, 0.60]", "Never used\nno estimate"]
    assert len(list(drawing(chart).iter("circle"))) == 1


def classes_of(chart: Chart) -> list[str]:
    return [str(shape.get("class")) for shape in drawing(chart).iter("rect")]


def test_bands_lie_behind_estimates_and_end_with_the_axis() -> None:
    bands = (Band("poor", -1, 0), Band("low", 0, 0.5), Band("high", 0.5, 1))
    asked = DotIntervalChart(
        "Kappa", (Estimate("A", 0.6, 0.5, 0.7),), lower=0, upper=1, bands=bands, wide=True
    )
    chart = dot_interval_chart(asked)
    assert [kind for kind in classes_of(chart) if kind.startswith("band")] == ["band band-2", "band band-3"]
    assert [mark.text for mark in drawing(chart).iter("text") if mark.text in ("low", "high", "poor")] == [
        "low",
        "high",
    ]


def test_a_heatmap_writes_its_values_and_leaves_gaps_uncoloured() -> None:
    values = ((None, 0.25), (1.0, None))
    chart = heatmap(Heatmap("Pairs", ("amal", "bea"), ("amal", "bea"), values, unit="kappa"))
    assert tips(chart) == ["amal · bea\n0.25 kappa", "bea · amal\n1.00 kappa"]
    assert chart.table.rows == (("amal", "–", "0.25"), ("bea", "1.00", "–"))
    cells = [kind for kind in classes_of(chart) if kind.startswith("cell") or kind == "heat-none"]
    assert cells == ["heat-none", "cell heat-2", "cell heat-6", "heat-none"]


def test_a_diverging_heatmap_tells_less_than_nothing_from_more() -> None:
    chart = heatmap(Heatmap("Together", ("a",), ("b", "c", "d"), ((-1, 0, 5),), diverging=True))
    cells = [kind for kind in classes_of(chart) if kind.startswith("cell")]
    assert cells == ["cell rust-6", "cell heat-0", "cell heat-6"]
    assert len([kind for kind in classes_of(chart) if kind.startswith(("heat", "rust"))]) == 13


@given(st.lists(labels, min_size=1, max_size=14), st.booleans(), st.booleans())
def test_a_heatmap_of_any_labels_is_drawn_inside_its_frame(
    names: list[str], wide: bool, diverging: bool
) -> None:
    values = [[(row - column) / len(names) for column in range(len(names))] for row in range(len(names))]
    chart = heatmap(Heatmap("Any", names, names, values, wide=wide, diverging=diverging))
    width, height = (float(size) for size in str(drawing(chart).get("viewBox")).split()[2:])
    for rect in drawing(chart).iter("rect"):
        x, y, w, h = (float(str(rect.get(side))) for side in ("x", "y", "width", "height"))
        assert 0 <= x <= x + w <= width + 0.01
        assert 0 <= y <= y + h <= height + 0.01


def test_uneven_rows_are_refused() -> None:
    with pytest.raises(UnevenRows, match="2 labels"):
        heatmap(Heatmap("Uneven", ("a", "b"), ("a",), ((1,),)))


@pytest.mark.parametrize(
    "chart",
    [
        bar_chart(BarChart("Nothing", (), empty="No flags yet.")),
        bar_chart(BarChart("Zeros", (Bar("a", 0),), empty="No flags yet.")),
        grouped_bar_chart(GroupedBarChart("Nothing", (), (), empty="No flags yet.")),
        histogram(Histogram("Nothing", (), empty="No flags yet.")),
        line_chart(LineChart("Nothing", (LineSeries("A", ()),), empty="No flags yet.")),
        dot_interval_chart(DotIntervalChart("Nothing", (Estimate("a", None),), empty="No flags yet.")),
        heatmap(Heatmap("Nothing", ("a",), ("a",), ((None,),), empty="No flags yet.")),
    ],
)
def test_no_data_is_explained(chart: Chart) -> None:
    page = Template("{% chart_figure chart %}").render(Context({"chart": chart}))
    assert "No flags yet." in page
    assert 'class="chart' not in page


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 2e15])
def test_what_cannot_be_drawn_is_refused_with_its_chart_named(value: float) -> None:
    with pytest.raises(UnplottableValue, match="Odd one"):
        bar_chart(BarChart("Odd one", (Bar("a", value),)))


@pytest.mark.parametrize("values", [(1e-12, 2e-12), (1e15, 1e15 - 1), (-1e15, 1e15), (0.1, 1e14)])
def test_extreme_values_are_drawn(values: tuple[float, float]) -> None:
    points = tuple(enumerate(values))
    chart = line_chart(LineChart("Extreme", (LineSeries("A", points),), style="decimal"))
    assert "nan" not in chart.svg
    assert "inf" not in chart.svg


def test_series_of_another_length_are_refused() -> None:
    with pytest.raises(UnevenSeries, match="1 values for 2 categories"):
        grouped_bar_chart(GroupedBarChart("Uneven", ("a", "b"), (Series("A", (1,)),)))


def test_dates_and_numbers_do_not_mix() -> None:
    with pytest.raises(MixedAxis):
        line_chart(LineChart("Mixed", (LineSeries("A", ((1, 1), (date(2020, 1, 1), 2))),)))
