"""Tables of differences, two columns a community: the difference, and t in brackets."""

from collections.abc import Sequence

from analysis.differences import DifferenceTable
from analysis.report.cells import NO_CELL, cell_of, statistic_cell
from analysis.report.content import Cell, Column, ReportTable, Row
from analysis.report.material import Material
from analysis.report.notes import notes_of
from analysis.report.wording import errors, of_labels, stars_say
from analysis.values import Finding, Way

FAMILY = "all codes and communities"


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
