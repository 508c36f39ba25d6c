"""How often codes are found by platform, topic and community, and how far each is from the mean of groups."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from analysis.prevalence import PrevalenceTable, prevalence
from analysis.prevalence_row import PrevalenceRow
from analysis.report.cells import NO_CELL, cell_of, notes_of, plain_cell, statistic_cell
from analysis.report.charts import (
    ChartData,
    HeatmapChart,
    HeatmapPanel,
    IntervalChart,
    Mark,
    Panel,
    Series,
    colour_limit,
    drawn_ways,
    mark_of,
)
from analysis.report.content import Column, ReportTable, Row, Section
from analysis.report.headlines import Told, in_each_part, tell_clearest
from analysis.report.material import Material, PartMaterial
from analysis.report.missing import Missing
from analysis.report.registry import Methods, SectionKind
from analysis.report.wording import UNCLEAR, errors, in_order, of_labels, stars_say, ways_in_words
from analysis.values import Finding, Way


@dataclass(frozen=True, slots=True)
class Grouping:
    """`column` is that of the items, and its name for one group."""

    column: str
    plural: str


def by_group(material: Material, kind: SectionKind, *, grouping: Grouping) -> Section:
    missing = Missing()
    found = {way: _tables(material, grouping, way, missing) for way in material.ways}
    made = {way: tables for way, tables in found.items() if tables}
    told = _told_of(material, grouping, made)
    return Section(
        name=kind.id,
        title=kind.title,
        about=(
            f"How often each code is found in each {grouping.column}, as a difference from the mean of"
            f" {grouping.plural}, each counting the same."
        ),
        sentences=told.sentences,
        headline=told.headline,
        tables=tuple(_report_table(material, grouping, way, tables) for way, tables in made.items()),
        charts=charts_of_groups(material, grouping, made),
        missing=missing.sentences,
    )


def _tables(
    material: Material, grouping: Grouping, way: Way, missing: Missing
) -> tuple[PrevalenceTable, ...]:
    found = (_table(part, grouping, way, missing) for part in material.parts)
    return tuple(table for table in found if table)


def _table(part: PartMaterial, grouping: Grouping, way: Way, missing: Missing) -> PrevalenceTable | None:
    what = f"Differences between {grouping.plural}"
    corpus = part.found.get(way)
    if corpus is None or not missing.has(corpus, grouping.column, what):
        return None
    known = missing.known(corpus, grouping.column)
    groups = known.groups(grouping.column).names
    if len(groups) < 2:
        missing.say(
            f"All {part.things} are of one {grouping.column}, {groups[0]}: there is nothing to compare."
        )
        return None
    return missing.attempt(f"{what} in {part.things}", lambda: prevalence(known, by=grouping.column, way=way))


def _told_of(material: Material, grouping: Grouping, made: Mapping[Way, Sequence[PrevalenceTable]]) -> Told:
    best = made.get(Way.CORRECTED) or made.get(Way.NAIVE) or ()
    told = [found for table in best for row in table.rows for found in _tell_apart(row)]
    return tell_clearest(told, facts=material.facts, over=in_each_part(_family(grouping), len(best)))


def _family(grouping: Grouping) -> str:
    return f"all codes and {grouping.plural}"


def _tell_apart(row: PrevalenceRow) -> tuple[Finding, ...]:
    """Of two groups one is as far above the mean as the other below: said once."""
    if len(row.differences) > 2:
        return row.differences
    return (max(row.differences, key=lambda found: found.estimate.value or 0),)


def _report_table(
    material: Material, grouping: Grouping, way: Way, tables: Sequence[PrevalenceTable]
) -> ReportTable:
    groups = material.ordered({group for table in tables for group in table.groups})
    across = (Column(title=group, group="Difference from mean (points)") for group in groups)
    symbol, test = (
        ("χ²", "Pearson's χ²") if way is Way.NAIVE else ("W", f"Wald's W{errors(material.clustered_by)}")
    )
    pair = f"shares-by-{grouping.column}"
    findings = tuple(found for table in tables for found in table.findings)
    numbers = in_order([f"{table.n:,} {table.things}" for table in tables])
    starred = stars_say(f"{in_each_part(_family(grouping), len(tables))} (of {symbol}: over the codes)")
    return ReportTable(
        name=f"{pair}-{way.value}",
        pair=pair,
        way=way,
        title=f"Shares of codes by {grouping.column}",
        caption=(
            f"Shares of codes by {grouping.column} in {numbers}: the mean of {grouping.plural} in percent, each one's"
            f" difference from it in percentage points, Cramér's V, and {test}. {of_labels(way)} {starred}"
        ),
        columns=(Column(title="Mean (%)"), *across, Column(title="Cramér's V"), Column(title=symbol)),
        rows=tuple(_row(material, table, row, groups) for table in tables for row in table.rows),
        findings=findings,
        notes=notes_of(findings, material.names),
    )


def _row(material: Material, table: PrevalenceTable, row: PrevalenceRow, groups: Sequence[str]) -> Row:
    of_group = {found.where: cell_of(found, in_percent=True) for found in row.differences}
    over_all = row.pearson or row.wald
    return Row(
        label=row.name,
        group=material.heading(row.code, table.things),
        cells=(
            plain_cell(row.mean, in_percent=True),
            *(of_group.get(group, NO_CELL) for group in groups),
            plain_cell(over_all, digits=3),
            statistic_cell(over_all),
        ),
    )


Tables = Mapping[Way, Sequence[PrevalenceTable]]
# With more, colours tell groups apart no longer.
MOST_COLOURS = 4


def charts_of_groups(material: Material, grouping: Grouping, made: Tables) -> tuple[ChartData, ...]:
    made = drawn_ways(made)
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


def _methods(material: Material, done: Sequence[str]) -> Sequence[str]:
    return (
        material.on_naive(
            f"Shares of codes were compared between {in_order(done)} with Pearson's χ² (with Yates' correction for two"
            " groups) and Cramér's V."
        ),
        "Differences are from the mean of the groups, each of which counts the same. Wald's test, which does not take"
        " items as independent, stands beside.",
    )


METHODS = Methods(
    say=_methods,
    family="differences between groups over all codes and groups, tests of all groups over the codes",
)
KINDS = tuple(
    SectionKind(
        id=grouping.plural,
        title=f"How {grouping.plural} differ",
        order=order,
        compute=partial(by_group, grouping=grouping),
        tables="mean, difference from it, Cramér's V, Pearson's χ² (corrected: Wald's W)",
        figures="dots by group; for more than four groups, differences in colour",
        needs=(grouping.column,),
        methods=METHODS,
        is_main=grouping.column == "platform",
    )
    for order, grouping in (
        (20, Grouping("platform", "platforms")),
        (21, Grouping("topic", "topics")),
        (22, Grouping("community", "communities")),
    )
)
