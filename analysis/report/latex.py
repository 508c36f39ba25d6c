"""Tables, figures and paragraphs of a report in LaTeX, ready to be pasted: `booktabs` and `graphicx` will do."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from analysis.report.charts import ChartData
from analysis.report.content import Cell, Column, Paragraph, ReportTable, Row
from annotation.latex import latex_escaped

# More columns of numbers do not fit on a page: the table goes on in a second one.
MOST_COLUMNS = 14
# What LaTeX's own fonts lack.
_SIGNS = {
    "Ŷ + (R/π)(Y - Ŷ)": r"$\hat{Y} + (R/\pi)(Y - \hat{Y})$",
    "Ŷ": r"$\hat{Y}$",
    "π": r"$\pi$",
    "\N{MINUS SIGN}": "$-$",
    "χ²": r"$\chi^2$",
    "χ": r"$\chi$",
    "φ": r"$\phi$",
    "κ": r"$\kappa$",
    "\N{GREEK SMALL LETTER ALPHA}": r"$\alpha$",
    "×": r"$\times$",
    "≥": r"$\geq$",
}


def latex_text(text: str) -> str:
    r"""
    >>> print(latex_text("50% of “R&D”, Fleiss' κ = 0.7"))
    50\% of “R\&D”, Fleiss' $\kappa$ = 0.7
    """
    written = latex_escaped(text)
    for sign, command in _SIGNS.items():
        written = written.replace(sign, command)
    return written


def latex_table(table: ReportTable) -> str:
    """As many tables as its columns need, each with the labels of rows; the caption says which part it is."""
    parts = list(_parts(table.columns))
    written = [_one(table, kept, at, len(parts)) for at, kept in enumerate(parts, 1)]
    return "\n".join(written)


def _parts(columns: Sequence[Column]) -> Iterable[range]:
    """Neighbours of one group stay together."""
    start = end = 0
    for _, group in groupby(columns, key=lambda column: column.group or object()):
        size = len(list(group))
        if end + size - start > MOST_COLUMNS and end > start:
            yield range(start, end)
            start = end
        end += size
    yield range(start, end)


def _one(table: ReportTable, kept: range, at: int, of: int) -> str:
    columns = [table.columns[place] for place in kept]
    caption = table.caption if of == 1 else f"{table.caption} Part {at} of {of}."
    lines = [*_heads(columns), r"\midrule"]
    for group, rows in groupby(table.rows, key=lambda row: row.group):
        if group:
            lines.append(rf"\multicolumn{{{len(columns) + 1}}}{{l}}{{\textit{{{latex_text(group)}}}}} \\")
        lines += [_line(row, kept) for row in rows]
    frame = [r"\begin{table*}", r"\centering", r"\small", rf"\caption{{{latex_text(caption)}}}"]
    label = table.name if of == 1 else f"{table.name}-{at}"
    frame += [rf"\label{{tab:{label}}}", rf"\begin{{tabular}}{{l{'r' * len(columns)}}}", r"\toprule"]
    return "\n".join([*frame, *lines, r"\bottomrule", r"\end{tabular}", r"\end{table*}", ""])


def _heads(columns: Sequence[Column]) -> list[str]:
    titles = " & ".join(["", *(latex_text(column.title) for column in columns)]) + r" \\"
    if not any(column.group for column in columns):
        return [titles]
    cells, rules, place = [""], [], 2
    for group, members in groupby(columns, key=lambda column: column.group):
        size = len(list(members))
        cells.append(rf"\multicolumn{{{size}}}{{c}}{{{latex_text(group)}}}" if group else " & " * (size - 1))
        if group:
            rules.append(rf"\cmidrule(lr){{{place}-{place + size - 1}}}")
        place += size
    return [" & ".join(cells) + r" \\", " ".join(rules), titles]


def _line(row: Row, kept: range) -> str:
    cells = [_cell(row.cells[place]) for place in kept]
    return " & ".join([latex_text(row.label), *cells]) + r" \\"


def _cell(cell: Cell) -> str:
    return latex_text(cell.text) + (f"$^{{{cell.stars}}}$" if cell.stars else "")


def latex_figure(chart: ChartData) -> str:
    """The frame of a figure whose file lies in `figures`."""
    lines = [
        r"\begin{figure*}",
        r"\centering",
        rf"\includegraphics[width=\textwidth]{{figures/{chart.name}.pdf}}",
        rf"\caption{{{latex_text(chart.caption)}}}",
        rf"\label{{fig:{chart.name}}}",
        r"\end{figure*}",
        "",
    ]
    return "\n".join(lines)


def latex_methods(paragraphs: Sequence[Paragraph]) -> str:
    return "\n".join(
        rf"\paragraph{{{latex_text(each.title)}}} {latex_text(each.text)}" + "\n" for each in paragraphs
    )
