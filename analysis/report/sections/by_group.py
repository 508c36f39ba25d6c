"""How often codes are found by platform, topic and community, and how far each is from the mean of groups."""

from collections.abc import Mapping, Sequence

from analysis.prevalence import PrevalenceTable, prevalence
from analysis.prevalence_row import PrevalenceRow
from analysis.report.cells import NO_CELL, cell_of, plain_cell, statistic_cell
from analysis.report.content import Column, ReportTable, Row, Section
from analysis.report.material import Material, PartMaterial
from analysis.report.missing import Missing
from analysis.report.notes import notes_of
from analysis.report.sections.by_group_charts import charts_of_groups
from analysis.report.sections.groupings import Grouping
from analysis.report.telling import Told, clearest, in_each_part
from analysis.report.wording import errors, in_order, of_labels, stars_say
from analysis.values import Finding, Way


def by_group(material: Material, grouping: Grouping) -> Section:
    missing = Missing()
    found = {way: _tables(material, grouping, way, missing) for way in material.ways}
    made = {way: tables for way, tables in found.items() if tables}
    told = _told_of(material, grouping, made)
    return Section(
        name=grouping.plural,
        title=f"How {grouping.plural} differ",
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
    told = [found for table in best for row in table.rows for found in _told(row)]
    return clearest(told, facts=material.facts, over=in_each_part(_family(grouping), len(best)))


def _family(grouping: Grouping) -> str:
    return f"all codes and {grouping.plural}"


def _told(row: PrevalenceRow) -> tuple[Finding, ...]:
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
