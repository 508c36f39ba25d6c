"""Puts together what the page of a report shows: sections with their tables in pairs, charts and files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from analysis.report.content import Column, ReportTable, Row, Section
from analysis.report.wording import way_name
from analysis.values import Way
from backend.core.web.charts.report import ReportFigure, report_figures


@dataclass(frozen=True, slots=True)
class Heading:
    """A name over neighbouring columns."""

    title: str
    n: int


@dataclass(frozen=True, slots=True)
class RowGroup:
    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class ShownTable:
    table: ReportTable
    headings: tuple[Heading, ...]
    groups: tuple[RowGroup, ...]

    @property
    def has_headings(self) -> bool:
        return any(heading.title for heading in self.headings)

    @property
    def n_columns(self) -> int:
        return len(self.table.columns) + 1

    @property
    def way(self) -> str:
        return "" if self.table.way is None else way_name(self.table.way)

    @property
    def tone(self) -> str:
        return "good" if self.table.way is Way.CORRECTED else "neutral"

    @property
    def csv(self) -> str:
        return f"tables/{self.table.name}.csv"

    @property
    def tex(self) -> str:
        return f"tables/{self.table.name}.tex"


@dataclass(frozen=True, slots=True)
class ShownSection:
    """`pairs` has the tables of one question, naive, from gold alone and corrected, or the one that there is."""

    section: Section
    figures: tuple[ReportFigure, ...]
    pairs: tuple[tuple[ShownTable, ...], ...]


def shown_sections(sections: Iterable[Section]) -> Iterator[ShownSection]:
    for section in sections:
        by_pair = groupby(section.tables, key=lambda table: table.pair)
        yield ShownSection(
            section,
            report_figures(section.charts),
            tuple(tuple(shown_table(table) for table in tables) for _, tables in by_pair),
        )


def shown_table(table: ReportTable) -> ShownTable:
    groups = groupby(table.rows, key=lambda row: row.group)
    return ShownTable(
        table, _headings(table.columns), tuple(RowGroup(title, tuple(rows)) for title, rows in groups)
    )


def _headings(columns: Sequence[Column]) -> tuple[Heading, ...]:
    """
    >>> columns = [Column(title="n"), Column(title="%", group="A"), Column(title="CI", group="A")]
    >>> [(heading.title, heading.n) for heading in _headings(columns)]
    [('', 1), ('A', 2)]
    """
    groups = groupby(columns, key=lambda column: column.group)
    return tuple(Heading(title, len(list(inside))) for title, inside in groups)
