"""A leaderboard for papers and spreadsheets."""

import csv
from collections.abc import Mapping, Sequence
from io import StringIO
from itertools import groupby

from annotation.latex import booktabs, latex_escaped
from codebook.schema import Part
from corpus.delimited import safe_cell
from learning.probe.values import Rate
from learning.scoring.leaderboard import BoardRow, Cell, Leaderboard
from learning.scoring.values import HEADLINE_WORDS

_PARTS = {Part.POST: "Post", Part.REPLY: "Reply", None: "All codes"}
_COLUMNS = ("learner", "input", "with_evidence", "part", "code", "name", "metric")
_SCORE = ("value", "low", "high", "n", "note", "is_best")
_SENSITIVITY = ("sensitivity", "sensitivity_low", "sensitivity_high")
SENSITIVITY = " Sensitivity: the percentage of its yes that a model takes back under another's post."
NO_OVERRIDES: Mapping[int, str] = {}


def csv_board(board: Leaderboard, *, overrides: Mapping[int, str] = NO_OVERRIDES) -> str:
    """Long form, a row for each run and code; safe to open in a spreadsheet.

    `overrides` says, by the place of its run, how a model was put in service against the promotion rule.
    """
    written = StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow((*_COLUMNS, *_SCORE, *_SENSITIVITY, "override"))
    for at, run in enumerate(board.runs):
        for row in board.rows:
            named = (row.part.value if row.part else "all", row.code_id or "", row.name, row.metric.value)
            cells = (run.learner, run.input, _truth(run.with_evidence), *named, *_score(row.cells[at]))
            cells = (*cells, *_sensitivity(row.cells[at]), overrides.get(at, ""))
            rows.writerow([safe_cell(cell) for cell in cells])
    return written.getvalue()


def _score(cell: Cell) -> tuple[str | int | float | None, ...]:
    if cell.score is None:
        return (None, None, None, 0, "Undefined: this run did not measure it.", "false")
    score = cell.score
    return (score.value, score.low, score.high, score.n, score.note, _truth(cell.is_best))


def _sensitivity(cell: Cell) -> tuple[float | None, ...]:
    rate = cell.sensitivity
    return (None, None, None) if rate is None else (rate.value, rate.low, rate.high)


def _truth(is_so: bool) -> str:
    return "true" if is_so else "false"


def latex_board(board: Leaderboard, *, caption: str = "", overrides: Mapping[int, str] = NO_OVERRIDES) -> str:
    r"""Themes down, runs across, for `\usepackage{booktabs}`; the best of each row is bold, a dash is undefined."""
    width = len(board.runs) + sum(board.is_probed)
    lines = _heads(board)
    for part, rows in groupby(board.rows, key=lambda row: row.part):
        lines += [r"\midrule", rf"\multicolumn{{{width + 1}}}{{l}}{{\emph{{{_PARTS[part]}}}}} \\"]
        lines += [_row(row, board.is_probed) for row in rows]
    return booktabs(
        lines,
        columns=f"l{'r' * width}",
        caption=" ".join([caption or _caption(board), *overrides.values()]),
        wide=True,
    )


def _heads(board: Leaderboard) -> list[str]:
    """Learners over inputs over whether evidence was learned, each written once where neighbours share it; a run that
    was probed has a column more."""
    runs = [
        run for run, is_probed in zip(board.runs, board.is_probed, strict=True) for _ in range(1 + is_probed)
    ]
    learners = [((run.learner,), run.learner) for run in runs]
    inputs = [((run.learner, run.input), run.input) for run in runs]
    kinds = []
    for run, is_probed in zip(board.runs, board.is_probed, strict=True):
        kinds += ["+evidence" if run.with_evidence else "class", *(["sensitivity"] if is_probed else [])]
    return [_span_heads(learners), _span_heads(inputs), " & ".join(["", *kinds]) + r" \\"]


def _span_heads(heads: Sequence[tuple[tuple[str, ...], str]]) -> str:
    cells = [""]
    for (_, head), same in groupby(heads):
        cells.append(rf"\multicolumn{{{len(list(same))}}}{{c}}{{{latex_escaped(head)}}}")
    return " & ".join(cells) + r" \\"


def _row(row: BoardRow, is_probed: Sequence[bool]) -> str:
    name = latex_escaped(row.name)
    cells = [name if row.code_id else rf"\emph{{{name}}}"]
    for cell, with_sensitivity in zip(row.cells, is_probed, strict=True):
        cells += [_format(cell), *([_shown_rate(cell.sensitivity)] if with_sensitivity else [])]
    return " & ".join(cells) + r" \\"


def _format(cell: Cell) -> str:
    if cell.score is None or cell.score.value is None:
        return "--"
    number = f"{100 * cell.score.value:.2f}".replace("-", "$-$")
    return rf"\textbf{{{number}}}" if cell.is_best else number


def _shown_rate(rate: Rate | None) -> str:
    return "--" if rate is None or rate.value is None else f"{100 * rate.value:.0f}"


def _caption(board: Leaderboard) -> str:
    metrics = " and ".join(
        HEADLINE_WORDS[metric] for metric in dict.fromkeys(row.metric for row in board.rows)
    )
    where = f"the {board.split.value} part" if board.split else "all parts"
    return (
        f"Scores ({metrics}, in hundredths) on {board.n_items:,} items of {where}. The best of each row is in bold,"
        " which does not say that it is better than the next by more than chance."
        f"{SENSITIVITY if any(board.is_probed) else ''}"
    )
