"""How often each theme is found in each part of the split, as CSV, LaTeX and a block of the data card."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO

from annotation.latex import latex_escaped, latex_row, tabular
from annotation.release.card_blocks import Table
from annotation.release.rows import ReleaseRow, SplitPart
from codebook.schema import Code, Codebook, Question
from corpus.delimited import safe_cell


@dataclass(frozen=True, slots=True)
class Cell:
    """`share` is of the items of the part that have a label for the code; None where there is none."""

    n: int
    share: float | None


@dataclass(frozen=True, slots=True)
class TableRow:
    code: str
    theme: str
    part: str
    cells: tuple[Cell, ...]
    total: Cell


@dataclass(frozen=True, slots=True)
class SplitTable:
    """A column for each part of the split and one for all; `items` and `posts` are their sizes."""

    items: tuple[int, ...]
    posts: tuple[int, ...]
    rows: tuple[TableRow, ...]


HEADS = (*(part.value.capitalize() for part in SplitPart), "All")


def split_table(rows: Sequence[ReleaseRow], codebook: Codebook) -> SplitTable:
    """A row for each theme; where a question has levels, one for each level that says something is there."""
    columns = [[row for row in rows if row.split is part] for part in SplitPart]
    columns.append(list(rows))
    values = [_values(column) for column in columns]
    return SplitTable(
        items=tuple(len(column) for column in columns),
        posts=tuple(len({row.item.post for row in column}) for column in columns),
        rows=tuple(
            _row(question, code, value, values)
            for question, code in codebook.coded_questions()
            for value in counted_values(question)
        ),
    )


def counted_values(question: Question) -> list[int]:
    """The answers that a table counts: those that find the code, or every point of a rating scale."""
    return sorted(question.present_values or (level.value for level in question.levels))


def _values(rows: Sequence[ReleaseRow]) -> dict[str, list[int]]:
    values: dict[str, list[int]] = {}
    for row in rows:
        for label in row.labels:
            if label.value is not None:
                values.setdefault(label.code, []).append(label.value)
    return values


def _row(question: Question, code: Code, value: int, columns: Sequence[dict[str, list[int]]]) -> TableRow:
    cells = []
    for column in columns:
        given = column.get(code.id, [])
        n = given.count(value)
        cells.append(Cell(n, n / len(given) if given else None))
    theme = f"{code.name}: {question.label_of(value)}" if question.levels else code.name
    return TableRow(code.id, theme, question.part.value, tuple(cells[:-1]), cells[-1])


def table_csv(table: SplitTable) -> str:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    numbers = [f"{head.lower()}_{kind}" for head in HEADS for kind in ("n", "share")]
    writer.writerow(["code", "theme", "part", *numbers])
    for row in table.rows:
        cells = [cell for column in (*row.cells, row.total) for cell in (column.n, _plain(column.share))]
        writer.writerow([row.code, safe_cell(row.theme), row.part, *cells])
    return text.getvalue()


def table_block(table: SplitTable) -> Table:
    """As the data card shows it."""
    rows = [(row.theme, row.part, *map(cell_words, (*row.cells, row.total))) for row in table.rows]
    rows.append(("Items", "", *(f"{n:,}" for n in table.items)))
    rows.append(("Posts", "", *(f"{n:,}" for n in table.posts)))
    return Table(("Theme", "Part", *HEADS), tuple(rows), first_number=2)


def table_latex(table: SplitTable) -> str:
    r"""For `\usepackage{booktabs}`."""
    lines = [latex_row("Theme", "Part", *HEADS), r"\midrule"]
    for row in table.rows:
        cells = (latex_escaped(cell_words(cell)) for cell in (*row.cells, row.total))
        lines.append(latex_row(latex_escaped(row.theme), row.part, *cells))
    lines += [r"\midrule", latex_row("Items &", *(f"{n:,}" for n in table.items))]
    return "\n".join(tabular(lines, "ll" + "r" * len(HEADS))) + "\n"


def cell_words(cell: Cell) -> str:
    return "–" if cell.share is None else f"{cell.n:,} ({100 * cell.share:.1f}%)"


def _plain(share: float | None) -> str:
    return "" if share is None else f"{share:.6f}"
