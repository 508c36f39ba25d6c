"""The table for the screen, for programs and for papers."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from io import StringIO

from annotation.latex import booktabs, latex_escaped, latex_row, with_digits
from corpus.delimited import safe_cell
from learning.cause_table.results import COLUMNS, F1, Measured, TableRow

_HEADS = ("Precision", "Recall", "F₁", "Accuracy", "ROC AUC")
_LATEX_HEADS = ("Precision", "Recall", "F$_1$", "Accuracy", "ROC AUC")
_DIGITS = 4


def table_csv(rows: Sequence[TableRow]) -> str:
    """A row for each code and variant: mean and standard deviation over seeds, each seed's F1, and the difference."""
    written = StringIO()
    out = csv.writer(written, lineterminator="\n")
    n_seeds = len(rows[0].scores[F1].values) if rows else 0
    measures = [f"{name}{end}" for name in COLUMNS for end in ("", "_sd")]
    seeds = [f"f1_seed_{seed}" for seed in range(1, n_seeds + 1)]
    ahead = ["first_minus_this", "low", "high", "p"]
    out.writerow(["code", "variant", "title", "learner", *measures, *seeds, *ahead])
    for row in rows:
        named = (row.code, row.variant.name, row.variant.title, row.variant.learner)
        numbers = [value for name in COLUMNS for value in (row.scores[name].mean, row.scores[name].sd)]
        apart = row.ahead
        of_first = (None,) * 4 if apart is None else (apart.value, apart.low, apart.high, apart.p)
        out.writerow([safe_cell(cell) for cell in (*named, *numbers, *row.scores[F1].values, *of_first)])
    return written.getvalue()


def table_latex(rows: Sequence[TableRow], n_items: int, n_seeds: int) -> str:
    r"""For `\usepackage{booktabs}`; the best mean of each column is bold."""
    lines = [latex_row("", *_LATEX_HEADS)]
    for code in dict.fromkeys(row.code for row in rows):
        own = [row for row in rows if row.code == code]
        lines += [r"\midrule", rf"\multicolumn{{6}}{{l}}{{\emph{{{latex_escaped(code)}}}}} \\"]
        lines += [_latex_row(row, own) for row in own]
    caption = (
        f"Precision, recall and F$_1$ of marked sentences, accuracy over sentences and ROC AUC on {n_items:,} items "
        f"of the test part: means of {n_seeds} seeds, standard deviations in brackets. The best of each column is bold."
    )
    return booktabs(lines, columns="lrrrrr", caption=caption, wide=True)


def _latex_row(row: TableRow, rows: Sequence[TableRow]) -> str:
    cells = [latex_escaped(row.variant.title)]
    for name in COLUMNS:
        measured = row.scores[name]
        shown = with_digits(measured.mean, _DIGITS)
        means = [each.scores[name].mean for each in rows]
        if measured.mean is not None and measured.mean == max(each for each in means if each is not None):
            shown = rf"\textbf{{{shown}}}"
        sd = "" if measured.sd is None else f" ({with_digits(measured.sd, _DIGITS)})"
        cells.append(shown + sd)
    return latex_row(*cells)


def table_lines(rows: Sequence[TableRow]) -> Iterator[str]:
    """For the screen, in hundredths."""
    for code in dict.fromkeys(row.code for row in rows):
        yield f"{code:34}" + "".join(f"{head:>14}" for head in _HEADS) + "   first minus this, F₁"
        for row in rows:
            if row.code == code:
                cells = "".join(f"{_format(row.scores[name]):>14}" for name in COLUMNS)
                yield f"{row.variant.title:34}{cells}   {_ahead(row)}".rstrip()


def _format(measured: Measured) -> str:
    """
    >>> _format(Measured((0.5, 0.6))), _format(Measured((0.5,))), _format(Measured((None,)))
    ('55.0 ± 7.1', '50.0', '–')
    """
    if measured.mean is None:
        return "–"
    spread = "" if measured.sd is None else f" ± {100 * measured.sd:.1f}"
    return f"{100 * measured.mean:.1f}{spread}"


def _ahead(row: TableRow) -> str:
    apart = row.ahead
    if apart is None or apart.value is None or apart.low is None or apart.high is None or apart.p is None:
        return ""
    return f"{100 * apart.value:+.1f} [{100 * apart.low:+.1f}, {100 * apart.high:+.1f}], p = {apart.p:.3f}"
