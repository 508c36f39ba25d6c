"""What differs between items with a code and without, community by community: tables of two columns a community, the
difference and t in brackets, and dots, a panel a community."""

from collections.abc import Mapping, Sequence
from functools import partial

from analysis.differences import DifferenceTable, differences
from analysis.outcomes import Outcome
from analysis.report.cells import NO_CELL, cell_of, notes_of, statistic_cell
from analysis.report.charts import IntervalChart, Mark, Panel, Series, drawn_ways, mark_of
from analysis.report.content import Cell, Column, ReportTable, Row
from analysis.report.headlines import Told, tell_clearest
from analysis.report.material import Material, PartMaterial
from analysis.report.missing import Missing
from analysis.report.wording import errors, of_labels, stars_say, ways_in_words
from analysis.values import Finding, Way

FAMILY = "all codes and communities"
ByWay = Mapping[Way, Sequence[Finding]]


def community_panels(material: Material, found: ByWay, *, things: str) -> tuple[Panel, ...]:
    """Of the communities that figures show; without those that have nothing."""
    codes = list(dict.fromkeys(each.code for findings in found.values() for each in findings))
    communities = dict.fromkeys(each.where for findings in found.values() for each in findings)
    shown = material.shown_communities(things)
    return tuple(
        _panel(material, found, codes, name) for name in material.ordered(communities) if name in shown
    )


def _panel(material: Material, found: ByWay, codes: Sequence[str], community: str) -> Panel:
    series = []
    for way, findings in found.items():
        of_code = {each.code: mark_of(each) for each in findings if each.where == community}
        marks = tuple(of_code.get(code, Mark(value=None)) for code in codes)
        series.append(Series(name="", way=way, marks=marks))
    return Panel(title=community, labels=tuple(material.label(code) for code in codes), series=tuple(series))


def compute_differences(
    part: PartMaterial, outcome: Outcome, title: str, missing: Missing
) -> dict[Way, DifferenceTable]:
    found = {}
    for way, corpus in part.found.items():
        table = missing.attempt(
            f"{title} ({way.value})", partial(differences, corpus, outcome=outcome, way=way)
        )
        if table:
            found[way] = table
    return found


def difference_chart(
    material: Material,
    part: PartMaterial,
    plain: Mapping[Way, DifferenceTable],
    *,
    slug: str,
    title: str,
    axis: str,
) -> IntervalChart:
    plain = drawn_ways(plain)
    outcome = next(iter(plain.values())).outcome
    clustered = {way: [row.clustered for row in table.rows] for way, table in plain.items()}
    return IntervalChart(
        name=f"differences-{slug}",
        title=title,
        caption=(
            f"Difference in “{outcome.in_words}” between {part.things} with each code and without, by"
            f" community. {material.whiskers} {ways_in_words(tuple(plain))}"
            f"{material.shown_note(part.things)}"
        ),
        axis=f"{axis} (points)" if outcome.is_share else axis,
        unit="points" if outcome.is_share else "number",
        panels=community_panels(material, clustered, things=part.things),
        reference=0.0,
    )


def tell_differences(material: Material, plain: Mapping[Way, DifferenceTable]) -> Told:
    """Of corrected labels where there are any."""
    best = plain.get(Way.CORRECTED) or plain.get(Way.NAIVE)
    if best is None:
        return Told()
    return tell_clearest([row.clustered for row in best.rows], facts=material.facts, over=FAMILY)


def difference_table(material: Material, slug: str, table: DifferenceTable) -> ReportTable:
    shown = [row.welch or row.clustered for row in table.rows]
    test = "Welch's t" if table.way is Way.NAIVE else f"t{errors(material.clustered_by)}"
    communities = material.ordered(table.communities)
    unit = " in percentage points" if table.outcome.is_share else ""
    return ReportTable(
        name=f"differences-{slug}-{table.way.value}",
        pair=f"differences-{slug}",
        way=table.way,
        title=f"Differences in “{table.outcome.in_words}”",
        caption=(
            f"Difference{unit} in “{table.outcome.in_words}” between {table.things} with a code and without, and"
            f" {test} in brackets, N = {table.n:,}. {of_labels(table.way)} {stars_say(FAMILY)}"
        ),
        columns=two_a_community(communities),
        rows=rows_by_community(material, shown, communities, table.things),
        findings=table.findings,
        notes=notes_of(table.findings, material.names),
    )


def two_a_community(communities: Sequence[str], first: str = "Diff.") -> tuple[Column, ...]:
    return tuple(Column(title=title, group=name) for name in communities for title in (first, "(t)"))


def rows_by_community(
    material: Material, findings: Sequence[Finding], communities: Sequence[str], things: str
) -> tuple[Row, ...]:
    """A row a code; findings are by code and `where`."""
    at = {(found.code, found.where): found for found in findings}
    return tuple(
        Row(
            label=material.name(code),
            group=material.heading(code, things),
            cells=tuple(cell for name in communities for cell in _cells(at.get((code, name)))),
        )
        for code in dict.fromkeys(found.code for found in findings)
    )


def _cells(found: Finding | None) -> tuple[Cell, Cell]:
    if found is None:
        return NO_CELL, NO_CELL
    return cell_of(found, in_percent=found.in_percent), statistic_cell(found, in_brackets=True)
