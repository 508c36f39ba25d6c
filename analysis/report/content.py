"""A report as it is kept: sections with sentences, tables and charts. The page and every file are made from it."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import msgspec

if TYPE_CHECKING:
    from pandas import DataFrame

from analysis.report.charts import ChartData
from analysis.report.facts import ReportFacts
from analysis.surrogate import Surrogate
from analysis.values import Finding, Way


class Column(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Neighbouring columns of one `group` stand under its name."""

    title: str
    group: str = ""


class Cell(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`text` as it is printed, with stars for a small p; `tip` says it in words; muted where it says little."""

    text: str
    stars: str = ""
    tip: str = ""
    is_muted: bool = False


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Neighbouring rows of one `group`, such as a category of the codebook, stand under its name."""

    label: str
    cells: tuple[Cell, ...]
    group: str = ""


class ReportTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`columns` are those after the first, which has the labels of rows. `pair` names what a naive and a corrected
    table have in common, and `way` tells them apart; it is None for a table that has both in its columns.
    `findings` have every number behind it."""

    name: str
    pair: str
    way: Way | None
    title: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()

    def to_pandas(self) -> DataFrame:
        """As it is printed: rows by group and label, columns by group and title, cells as text with their stars."""
        from pandas import DataFrame, MultiIndex  # takes long to load

        columns = [(column.group, column.title) for column in self.columns]
        return DataFrame(
            [[f"{cell.text}{cell.stars}" for cell in row.cells] for row in self.rows],
            index=MultiIndex.from_tuples(
                [(row.group, row.label) for row in self.rows], names=["group", "row"]
            ),
            columns=MultiIndex.from_tuples(columns, names=["group", "column"]),
        )


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`sentences` say what is found; `missing` what could not be computed, why, and what to do.

    `headline` is the finding that may stand at the top of the report (`analysis.report.headlines`), if there is one.
    """

    name: str
    title: str
    about: str
    sentences: tuple[str, ...] = ()
    headline: str = ""
    tables: tuple[ReportTable, ...] = ()
    charts: tuple[ChartData, ...] = ()
    missing: tuple[str, ...] = ()


class Paragraph(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    title: str
    text: str


class Report(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`ways` are those that were computed; `notes` hold for all of it, such as how levels were counted."""

    title: str
    facts: ReportFacts
    options: ReportOptions
    ways: tuple[Way, ...]
    summary: tuple[str, ...]
    sections: tuple[Section, ...]
    methods: tuple[Paragraph, ...]
    notes: tuple[str, ...] = ()

    def section(self, name: str) -> Section | None:
        return next((each for each in self.sections if each.name == name), None)

    @property
    def tables(self) -> tuple[ReportTable, ...]:
        return tuple(table for section in self.sections for table in section.tables)

    @property
    def charts(self) -> tuple[ChartData, ...]:
        return tuple(chart for section in self.sections for chart in section.charts)

    def to_pandas(self) -> dict[str, DataFrame]:
        """The numbers behind each table, by its name: a row a finding, with the columns of its CSV file."""
        from analysis.tables import findings_frame  # pages read reports and need no more than this module

        names = {code.id: code.name for code in self.facts.codebook.codes}
        return {table.name: findings_frame(table.findings, names) for table in self.tables}


class ReportUnreadable(ValueError):
    def __init__(self, problem: object) -> None:
        super().__init__(f"This is no report ({problem}): make it again.")


def encode_report(report: Report) -> bytes:
    return msgspec.json.encode(report, order="sorted")


def decode_report(content: bytes) -> Report:
    try:
        return msgspec.json.decode(content, type=Report)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ReportUnreadable(error) from error


class ReportOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`every` is the period of courses over time as polars has it, such as 1mo, 1q or 1y; by default it follows the
    length of the corpus. `surrogate` is what stands for gold where there is none, as far as the model has
    probabilities. `joined` asks for change since authors joined, of those who did so from and until.
    Figures have panels for at most `most_panels` communities, the largest; tables have all. `sections` names those to
    make; without any, all are made.
    """

    title: str = ""
    with_corrected: bool = True
    surrogate: Surrogate = Surrogate.PROBABILITY
    every: str | None = None
    joined: tuple[datetime, datetime] | None = None
    sections: tuple[str, ...] = ()
    most_panels: Annotated[int, msgspec.Meta(ge=1)] = 12


REPORT, MANIFEST = "report.json", "manifest.json"


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Hashes are sha256 in hex: of what went in by its name, and of every other file of the folder by its path."""

    inputs: dict[str, str]
    files: dict[str, str]


def encode_manifest(manifest: Manifest) -> bytes:
    return msgspec.json.format(msgspec.json.encode(manifest, order="sorted"), indent=2) + b"\n"


def decode_manifest(content: bytes) -> Manifest:
    return msgspec.json.decode(content, type=Manifest)
