"""Tables, figures and paragraphs of a report in LaTeX, ready to be pasted with the packages that `PACKAGES` names."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from analysis.report.charts import ChartData
from analysis.report.content import Cell, Column, Paragraph, Report, ReportTable, Row
from analysis.report.figures.style import PAGE
from annotation.latex import booktabs, latex_escaped

PACKAGES = ("array", "booktabs", "graphicx")
# Of a page, in points and in rows of small type: what is more goes on in another table.
PAGE_WIDTH, MOST_LINES = 7.0 * 72.27, 42
# Longer labels are broken into lines.
WIDEST_LABEL = 170.0
# Words do not fill lines to the end.
_LINES_MORE = 0.999
# Of letters in small type, and of the room beside a column.
_THIN, _USUAL, _BROAD, _WIDE, _STAR, _GAPS = 3.4, 4.8, 6.6, 7.8, 3.6, 12.2


def latex_table(table: ReportTable) -> str:
    """As many tables as fit beside and below each other on a page, each with the labels of its rows; the caption says
    which part it is."""
    label = min(max(map(text_width, (row.label for row in table.rows)), default=0.0), WIDEST_LABEL)
    across = list(_parts(table, PAGE_WIDTH - label - _GAPS))
    parts = [(columns, rows) for columns in across for rows in _down(table.rows, label)]
    return "\n".join(
        _one(table, columns, rows, label, at, len(parts)) for at, (columns, rows) in enumerate(parts, 1)
    )


def _down(rows: Sequence[Row], label_width: float) -> Iterator[Sequence[Row]]:
    """As many as fit on a page, whose labels may have several lines."""
    start, used = 0, 0
    for at, row in enumerate(rows):
        lines = 1 + int(_LINES_MORE * text_width(row.label) / max(label_width, 1.0))
        if used + lines > MOST_LINES and at > start:
            yield rows[start:at]
            start, used = at, 0
        used += lines
    yield rows[start:]


def _parts(table: ReportTable, free: float) -> Iterator[range]:
    """Neighbours of one group stay together, unless they alone are too wide."""
    start = end = 0
    used = 0.0
    for places, width in _together(table, free):
        if used + width > free and end > start:
            yield range(start, end)
            start, used = end, 0.0
        end, used = places[-1] + 1, used + width
    yield range(start, end)


def _together(table: ReportTable, free: float) -> Iterator[tuple[list[int], float]]:
    for _, members in groupby(range(len(table.columns)), key=lambda at: _group_of(table, at)):
        places = list(members)
        own = [_column_width(table, at) for at in places]
        width = max(sum(own), text_width(table.columns[places[0]].group) + _GAPS)
        if width > free:
            yield from (([at], each) for at, each in zip(places, own, strict=True))
        else:
            yield places, width


def _group_of(table: ReportTable, at: int) -> object:
    return table.columns[at].group or at


def _column_width(table: ReportTable, at: int) -> float:
    cells = (text_width(row.cells[at].text) + _STAR * len(row.cells[at].stars) for row in table.rows)
    return max([text_width(table.columns[at].title), *cells]) + _GAPS


def text_width(text: str) -> float:
    """About how wide it is in small type, in points; rather too much than too little.

    >>> text_width("0.25") < text_width("reddit/home") < text_width("Emotional resonance")
    True
    """
    return sum(map(_char_width, text))


def _char_width(char: str) -> float:
    if char in "mwMW%@—":
        return _WIDE
    if char in " .,:;'()|[]ijlt/-":
        return _THIN
    return _BROAD if char.isupper() else _USUAL


def _one(table: ReportTable, kept: range, rows: Sequence[Row], label_width: float, at: int, of: int) -> str:
    columns = [table.columns[place] for place in kept]
    caption = table.caption if of == 1 else f"{table.caption} Part {at} of {of}."
    lines = [*_heads(columns), r"\midrule"]
    for group, members in groupby(rows, key=lambda row: row.group):
        if group:
            lines.append(rf"\multicolumn{{{len(columns) + 1}}}{{l}}{{\textit{{{latex_escaped(group)}}}}} \\")
        lines += [_line(row, kept) for row in members]
    names = rf">{{\raggedright\arraybackslash}}p{{{label_width:.0f}pt}}"
    label = table.name if of == 1 else f"{table.name}-{at}"
    return booktabs(
        lines, columns=f"{names}{'r' * len(columns)}", caption=caption, label=label, wide=True, small=True
    )


def _heads(columns: Sequence[Column]) -> list[str]:
    titles = " & ".join(["", *(latex_escaped(column.title) for column in columns)]) + r" \\"
    if not any(column.group for column in columns):
        return [titles]
    cells, rules, place = [""], [], 2
    for group, members in groupby(columns, key=lambda column: column.group):
        size = len(list(members))
        cells.append(
            rf"\multicolumn{{{size}}}{{c}}{{{latex_escaped(group)}}}" if group else " & " * (size - 1)
        )
        if group:
            rules.append(rf"\cmidrule(lr){{{place}-{place + size - 1}}}")
        place += size
    return [" & ".join(cells) + r" \\", " ".join(rules), titles]


def _line(row: Row, kept: range) -> str:
    cells = [_cell(row.cells[place]) for place in kept]
    return " & ".join([latex_escaped(row.label), *cells]) + r" \\"


def _cell(cell: Cell) -> str:
    return latex_escaped(cell.text) + (f"$^{{{cell.stars}}}$" if cell.stars else "")


def latex_figure(chart: ChartData, inches: float) -> str:
    """The frame of a figure whose file lies in `figures` and is so wide: each is as large as it was drawn, so that type
    has one size in all of them."""
    share = min(inches / PAGE, 1.0)
    width = r"\textwidth" if share > 0.98 else rf"{share:.2f}\textwidth"
    lines = [
        r"\begin{figure*}",
        r"\centering",
        rf"\includegraphics[width={width},height=0.85\textheight,keepaspectratio]{{figures/{chart.name}.pdf}}",
        rf"\caption{{{latex_escaped(chart.caption)}}}",
        rf"\label{{fig:{chart.name}}}",
        r"\end{figure*}",
        "",
    ]
    return "\n".join(lines)


def latex_main(report: Report) -> str:
    """All of it as a document of its own, to look at or to begin a paper from. Floats are let out section by section:
    LaTeX holds only so many."""
    lines = [
        r"\documentclass[10pt]{article}",
        r"\usepackage[T1]{fontenc}",
        r"\usepackage[letterpaper,textwidth=7in,textheight=9.4in]{geometry}",
        *(rf"\usepackage{{{name}}}" for name in PACKAGES),
        r"\emergencystretch=3em",
        rf"\title{{{latex_escaped(report.title)}}}",
        r"\date{}",
        r"\begin{document}",
        r"\maketitle",
        r"\begin{itemize}",
        *(rf"\item {latex_escaped(sentence)}" for sentence in report.summary),
        r"\end{itemize}",
    ]
    for section in report.sections:
        lines.append(rf"\section{{{latex_escaped(section.title)}}}")
        lines.append(latex_escaped(section.about))
        lines += [rf"\input{{tables/{table.name}.tex}}" for table in section.tables]
        lines += [rf"\input{{figures/{chart.name}.tex}}" for chart in section.charts]
        lines.append(r"\clearpage")
    lines += [r"\section{Methods}", r"\input{methods.tex}", r"\end{document}", ""]
    return "\n".join(lines)


def latex_methods(paragraphs: Sequence[Paragraph]) -> str:
    return "\n".join(
        rf"\paragraph{{{latex_escaped(each.title)}}} {latex_escaped(each.text)}" + "\n" for each in paragraphs
    )
