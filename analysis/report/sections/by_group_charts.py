"""Charts of shares by group: dots side by side for a few groups, differences from the mean in colour for many."""

from collections.abc import Mapping, Sequence

from analysis.prevalence import PrevalenceTable
from analysis.report.charts import (
    ChartData,
    HeatmapChart,
    HeatmapPanel,
    IntervalChart,
    Mark,
    Panel,
    Series,
    colour_limit,
    mark_of,
)
from analysis.report.material import Material
from analysis.report.sections.groupings import Grouping
from analysis.report.wording import UNCLEAR, of_labels, ways_in_words
from analysis.values import Way

Tables = Mapping[Way, Sequence[PrevalenceTable]]
# With more, colours tell groups apart no longer.
MOST_COLOURS = 4


def charts_of_groups(material: Material, grouping: Grouping, made: Tables) -> tuple[ChartData, ...]:
    if not made:
        return ()
    groups = {group for tables in made.values() for table in tables for group in table.groups}
    if len(groups) <= MOST_COLOURS:
        return (_dots(material, grouping, made),)
    return tuple(_heatmap(material, grouping, way, tables) for way, tables in made.items())


def _dots(material: Material, grouping: Grouping, made: Tables) -> IntervalChart:
    things = dict.fromkeys(table.things for tables in made.values() for table in tables)
    return IntervalChart(
        name=f"shares-by-{grouping.column}",
        title=f"Shares of codes by {grouping.column}",
        caption=(
            f"Share of {' and of '.join(things)} with each code, by {grouping.column}. {material.whiskers}"
            f" {ways_in_words(tuple(made))}"
        ),
        axis="Share found",
        unit="percent",
        panels=tuple(_panel(material, each, made) for each in things),
    )


def _panel(material: Material, things: str, made: Tables) -> Panel:
    of_part = {way: table for way, tables in made.items() for table in tables if table.things == things}
    codes = list(dict.fromkeys(row.code for table in of_part.values() for row in table.rows))
    series = []
    for way, table in of_part.items():
        shares = {(row.code, found.where): mark_of(found) for row in table.rows for found in row.shares}
        series += [
            Series(
                name=group,
                way=way,
                marks=tuple(shares.get((code, group), Mark(value=None)) for code in codes),
            )
            for group in table.groups
        ]
    return Panel(
        title=things.capitalize(), labels=tuple(material.label(code) for code in codes), series=tuple(series)
    )


def _heatmap(
    material: Material, grouping: Grouping, way: Way, tables: Sequence[PrevalenceTable]
) -> HeatmapChart:
    panels = tuple(_cells(material, table) for table in tables)
    pair = f"differences-by-{grouping.column}"
    return HeatmapChart(
        name=f"{pair}-{way.value}",
        pair=pair,
        way=way,
        title=f"Differences from the mean of {grouping.plural}",
        caption=(
            f"How far the share of each code lies from the mean of {grouping.plural}, in percentage points."
            f" {UNCLEAR} {of_labels(way)}"
        ),
        axis="Difference from the mean (points)",
        unit="points",
        panels=panels,
        symbol="points",
        limit=colour_limit(panels, at_least=0.05),
    )


def _cells(material: Material, table: PrevalenceTable) -> HeatmapPanel:
    groups = material.ordered(table.groups)
    return HeatmapPanel(
        title=table.things.capitalize(),
        rows=tuple(material.label(row.code) for row in table.rows),
        columns=tuple(groups),
        cells=tuple(
            tuple(mark_of(at[group]) for group in groups)
            for at in ({found.where: found for found in row.differences} for row in table.rows)
        ),
    )
