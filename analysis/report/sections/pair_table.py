"""Correlations as a table: pairs of codes down, communities across."""

from collections.abc import Sequence

from analysis.co_occurrence import CorrelationMatrix
from analysis.report.cells import NO_CELL, cell_of
from analysis.report.content import Column, ReportTable, Row
from analysis.report.material import Material
from analysis.report.notes import notes_of
from analysis.report.wording import of_labels, stars_say
from analysis.values import Way

FAMILY = "all pairs and communities"


def pair_table(
    material: Material, name: str, title: str, what: str, way: Way, matrices: Sequence[CorrelationMatrix]
) -> ReportTable:
    findings = tuple(found for matrix in matrices for found in matrix.findings)
    at = {(found.code, found.other, found.where): found for found in findings}
    pairs = dict.fromkeys((found.code, found.other) for found in findings)
    rows = [
        Row(
            label=f"{material.name(one)} × {material.name(other)}",
            cells=tuple(
                cell_of(at[one, other, matrix.where]) if (one, other, matrix.where) in at else NO_CELL
                for matrix in matrices
            ),
        )
        for one, other in pairs
    ]
    return ReportTable(
        name=f"{name}-{way.value}",
        pair=name,
        way=way,
        title=title,
        caption=f"Correlations between {what}, by community. {of_labels(way)} {stars_say(FAMILY)}",
        columns=tuple(Column(title=matrix.where) for matrix in matrices),
        rows=tuple(rows),
        findings=findings,
        notes=notes_of(findings, material.names),
    )
