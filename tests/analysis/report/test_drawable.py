"""Charts have no empty panels, and what was left out of them is told."""

import msgspec

from analysis.report.build import keep_drawable
from analysis.report.charts import HeatmapChart, HeatmapPanel, IntervalChart, Mark, Panel, Series
from analysis.report.content import Section
from analysis.values import Way

KNOWN, UNKNOWN = Mark(value=0.2, low=0.1, high=0.3), Mark(value=None, note="Undefined: nobody knows.")


def panel(title: str, *marks: Mark) -> Panel:
    series = Series(name="", way=Way.NAIVE, marks=marks)
    return Panel(title=title, labels=tuple("ab"[: len(marks)]), series=(series,))


def section(*panels: Panel) -> Section:
    chart = IntervalChart(name="c", title="Shares", caption="Shares.", axis="Share", panels=panels)
    return Section(name="s", title="S", about="", charts=(chart,))


def test_what_has_numbers_stays_as_it_is() -> None:
    whole = section(panel("work", KNOWN, UNKNOWN), panel("home", KNOWN, KNOWN))
    assert keep_drawable(whole) == whole


def test_panels_without_a_number_are_named_in_the_caption() -> None:
    gone = [panel(title, UNKNOWN) for title in ("a", "b", "c", "d", "e")]
    (chart,) = keep_drawable(section(panel("work", KNOWN), *gone)).charts
    assert [each.title for each in chart.panels] == ["work"]
    assert chart.caption == "Shares. Nothing could be computed for a, b, c and 2 more."


def test_a_chart_without_a_number_is_told_of_and_not_drawn() -> None:
    heat = HeatmapPanel(title="work", rows=("a",), columns=("b",), cells=((None,), (UNKNOWN,)))
    empty = HeatmapChart(
        name="h", title="Together", caption="", axis="r", pair="h", way=Way.NAIVE, panels=(heat,)
    )
    found = keep_drawable(msgspec.structs.replace(section(panel("x", UNKNOWN)), missing=("Before.",)))
    both = keep_drawable(
        Section(name="s", title="S", about="", charts=(empty, *section(panel("x", KNOWN)).charts))
    )
    assert (
        found.charts == () and found.missing[0] == "Before." and "“Shares” is not drawn" in found.missing[1]
    )
    assert [chart.name for chart in both.charts] == ["c"] and len(both.missing) == 1
