"""Charts of reports on pages: every mark can be read by pointer and keyboard, and no name is taken for code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.template import Context, Template

from analysis.report.build import build_report
from analysis.report.charts import HeatmapChart, HeatmapPanel, IntervalChart, LineChart, Mark, Panel, Series
from analysis.values import MODEL_WAYS, Way
from backend.core.web.charts.report import ReportFigure, report_figures
from tests.analysis.report.report_fixtures import given_report

REPORT = build_report(given_report(n_posts=600, n_gold=250))
FIGURES = {figure.key: figure for section in REPORT.sections for figure in report_figures(section.charts)}
EVIL = '<script>alert("1")</script>'
UNKNOWN = Mark(value=None, note="Undefined: no gold was drawn here.")


def page(figure: ReportFigure) -> str:
    return Template("{% report_figure figure %}").render(Context({"figure": figure}))


def dots(marks: tuple[Mark, ...], *, name: str = "", ways: tuple[Way, ...] = MODEL_WAYS) -> IntervalChart:
    labels = tuple(f"{EVIL} {at}" for at in range(len(marks)))
    series = tuple(Series(name=name, way=way, marks=marks) for way in ways)
    panels = (Panel(title=EVIL, labels=labels, series=series),)
    return IntervalChart(name="dots", title=EVIL, caption=EVIL, axis="Share", unit="percent", panels=panels)


def course(*marks: Mark) -> LineChart:
    labels = tuple(f"20{10 + at}-01-01" for at in range(len(marks)))
    panel = Panel(title="Worry", labels=labels, series=(Series(name="", way=Way.NAIVE, marks=marks),))
    return LineChart(name="lines", title="Lines", caption="", axis="Share", unit="percent", panels=(panel,))


def test_every_chart_of_a_report_is_in_a_figure_with_all_its_marks() -> None:
    assert {name for figure in FIGURES.values() for name in figure.names} == {c.name for c in REPORT.charts}
    for figure in FIGURES.values():
        n_tips = sum(panel.svg.count("data-tip=") for panel in figure.panels)
        known = [row for row in figure.table.rows if row[2] != "–"]
        assert len(known) <= n_tips <= len(figure.table.rows)


def test_naive_and_corrected_heatmaps_are_one_figure_with_a_choice() -> None:
    figure = FIGURES["together-posts-naive"]
    assert figure.names == ("together-posts-naive", "together-posts-corrected")
    assert [(choice.value, choice.is_first) for choice in figure.choices] == [
        ("naive", False),
        ("corrected", True),
    ]
    assert [panel.way for panel in figure.panels] == ["naive"] * 6 + ["corrected"] * 6
    assert "as they are" not in figure.caption and "corrected with gold" not in figure.caption
    assert page(figure).count('class="panel way-naive"') == 6


def test_dots_of_both_ways_stand_in_one_panel_and_can_be_told_apart() -> None:
    figure = FIGURES["shares"]
    assert [choice.value for choice in figure.choices if choice.is_first] == ["both"]
    svg = figure.panels[0].svg
    assert svg.count('class="way-naive"') == svg.count('class="way-corrected"') == 2
    assert "mark-open series-naive" in svg and "mark-dot series-1" in svg


def test_a_tip_has_value_interval_n_and_gold() -> None:
    tips = re.findall(r'data-tip="([^"]*)"', FIGURES["shares"].panels[0].svg)
    corrected = next(tip for tip in tips if "Sharing emotions" in tip and "corrected" in tip)
    assert re.fullmatch(
        r"Sharing emotions · Posts · corrected\n\d+\.\d%, 95% interval [\d.]+ to [\d.]+\nn = 600, \d+ with gold",
        corrected,
    )


def test_groups_have_colours_of_their_own_and_corrected_is_shown_first() -> None:
    figure = FIGURES["shares-by-platform"]
    assert figure.legend == (("series-1", "reddit"), ("series-2", "stack"))
    assert [choice.value for choice in figure.choices if choice.is_first] == ["corrected"]


def test_a_figure_of_one_way_offers_no_choice() -> None:
    (figure,) = report_figures([dots((Mark(value=0.2, low=0.1, high=0.3),), ways=(Way.NAIVE,))])
    assert not figure.choices and "way-choice" not in page(figure)


def test_names_are_text() -> None:
    (figure,) = report_figures([dots((Mark(value=0.2, low=0.1, high=0.3, note=EVIL), UNKNOWN), name=EVIL)])
    assert "<script>" not in page(figure)


def test_what_is_unknown_is_said_and_breaks_lines() -> None:
    known = [Mark(value=0.1 * at, low=0.05 * at, high=0.2 * at) for at in (1, 2, 3, 4)]
    (figure,) = report_figures([course(*known[:2], UNKNOWN, *known[2:])])
    assert figure.panels[0].svg.count("mark-line") == 2 and figure.panels[0].svg.count("mark-area") == 2
    assert figure.table.rows[2][2] == "–"
    cells = HeatmapPanel(title="a", rows=("x",), columns=("y", "z"), cells=((UNKNOWN, None),))
    chart = HeatmapChart(
        name="c-naive", pair="c", way=Way.NAIVE, title="C", caption="", axis="r", panels=(cells,)
    )
    (figure,) = report_figures([chart])
    assert figure.panels[0].svg.count("heat-none") == 1 and "no gold was drawn here" in figure.panels[0].svg


@pytest.mark.parametrize("marks", ((), (UNKNOWN,), (Mark(value=0.0),)))
def test_charts_with_little_in_them_are_drawn(marks: tuple[Mark, ...]) -> None:
    assert page(report_figures([dots(marks)])[0]) and page(report_figures([course(*marks)])[0])


def test_cells_whose_interval_includes_0_are_pale() -> None:
    clear, unclear = Mark(value=0.3, low=0.1, high=0.5), Mark(value=-0.001, low=-0.2, high=0.2)
    cells = HeatmapPanel(title="a", rows=("x",), columns=("y", "z"), cells=((clear, unclear),))
    chart = HeatmapChart(
        name="c-naive", pair="c", way=Way.NAIVE, title="C", caption="", axis="r", panels=(cells,), limit=0.3
    )
    svg = report_figures([chart])[0].panels[0].svg
    assert 'class="cell heat-6"' in svg and 'class="cell heat-0 is-unclear"' in svg
    assert ">.30<" in svg and ">.00<" in svg


def test_the_choice_needs_no_script() -> None:
    css = (Path(__file__).parents[4] / "backend/core/web/static/attune/charts.css").read_text()
    assert '.report-figure:has(input[value="naive"]:checked) .way-corrected' in css


def test_courses_of_shares_go_from_0_to_100_percent_with_the_number_of_what_lies_outside() -> None:
    (figure,) = report_figures(
        (course(Mark(value=-0.4, low=-0.9, high=0.1), Mark(value=0.2), Mark(value=1.1)),)
    )
    svg = figure.panels[0].svg
    assert ">0%<" in svg and ">100%<" in svg and ">-40.0%<" in svg and ">110.0%<" in svg


def test_shares_beyond_0_and_100_percent_stand_at_the_edge_with_their_number() -> None:
    (figure,) = report_figures((dots((Mark(value=-0.276, low=-2.0, high=2.0),), ways=(Way.CORRECTED,)),))
    svg = figure.panels[0].svg
    assert ">0%<" in svg and ">100%<" in svg and "200%" not in re.sub(r'data-tip="[^"]*"', "", svg)
    assert ">-27.6%<" in svg
