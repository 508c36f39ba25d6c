"""Results as tables: CSV for programs, LaTeX for papers, with the baseline underlined and the best of a column bold."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

from annotation.latex import booktabs, latex_escaped, latex_row
from corpus.delimited import safe_cell
from learning.transfer.features import PairFeatures
from learning.transfer.results import PairResult, TaskFacts, TransferResults
from learning.transfer.study import TaskKind

Cell = str | int | float | None
METRIC = {TaskKind.CLASSIFICATION: "Macro-F1", TaskKind.REGRESSION: "Pearson's r"}


def matrix_csv(results: TransferResults) -> str:
    """A row for each source and target; a baseline is where the two are the same."""
    seeds = [f"score_seed_{seed}" for seed in results.seeds]
    head = (
        "source",
        "target",
        "kind",
        "metric",
        "score",
        "baseline",
        "change_percent",
        "is_baseline",
        "n_test",
    )
    rows: list[Sequence[Cell]] = [(*head, *seeds)]
    n_test = {task.name: task.n_test for task in results.tasks}
    for target in results.tasks:
        for source in results.tasks:
            pair = results.pair(source.name, target.name)
            names = (source.name, target.name, target.kind.value, target.kind.metric)
            if pair is None:
                rows.append((*names, target.score, target.score, 0.0, "true", target.n_test, *target.scores))
            else:
                of_pair = (pair.score, pair.baseline, _percent(pair.change), "false", n_test[target.name])
                rows.append((*names, *of_pair, *pair.scores))
    return _csv(rows)


def tests_csv(results: TransferResults) -> str:
    head = ("source", "target", "metric", "baseline", "score", "difference", "low", "high", "change_percent")
    more = ("change_low_percent", "change_high_percent", "p", "p_holm", "p_bh", "verdict", "note")
    rows = (_test_row(pair) for pair in results.pairs)
    return _csv([(*head, *more), *rows])


def _test_row(pair: PairResult) -> Sequence[Cell]:
    changes = (_percent(each) for each in (pair.change, pair.change_low, pair.change_high))
    scores = (pair.baseline, pair.score, pair.difference, pair.low, pair.high)
    p_values = (pair.p, pair.p_holm, pair.p_bh)
    names = (pair.source, pair.target, pair.kind.metric)
    return (*names, *scores, *changes, *p_values, pair.verdict.value, pair.note)


def importance_csv(results: TransferResults) -> str:
    found = results.importances
    head = (
        "feature",
        "importance",
        "sd",
        "held_out_importance",
        "held_out_sd",
        "r2",
        "held_out_r2",
        "n_pairs",
    )
    fit = (found.r2, found.held_out_r2, found.n_pairs)
    rows = [
        (f.feature, f.importance, f.sd, f.held_out_importance, f.held_out_sd, *fit) for f in found.features
    ]
    return _csv([head, *rows])


def pairs_csv(features: Sequence[PairFeatures], results: TransferResults) -> str:
    """What the regression of the features is fitted to."""
    numbers = list(dict.fromkeys(name for pair in features for name in pair.numbers))
    categories = list(dict.fromkeys(name for pair in features for name in pair.categories))
    rows: list[Sequence[Cell]] = [("source", "target", *numbers, *categories, "change_percent")]
    for pair in features:
        found = results.pair(pair.source, pair.target)
        own = [pair.numbers.get(name) for name in numbers]
        words = [pair.categories[name] for name in categories]
        rows.append((pair.source, pair.target, *own, *words, _percent(found.change if found else None)))
    return _csv(rows)


def ratings_csv(results: TransferResults) -> str:
    head = (
        "aspect",
        "alpha_interval",
        "alpha_low",
        "alpha_high",
        "spearman_r",
        "spearman_low",
        "spearman_high",
    )
    apart = sorted({each for found in results.agreement for each in found.differences}, key=float)
    rows: list[Sequence[Cell]] = [
        (*head, "n_tasks", "n_annotators", *(f"differ_by_{each}" for each in apart))
    ]
    for found in results.agreement:
        alpha = (found.alpha, found.alpha_low, found.alpha_high)
        rank = (found.spearman, found.spearman_low, found.spearman_high)
        counts = [found.differences.get(each, 0) for each in apart]
        rows.append((found.aspect, *alpha, *rank, found.n_tasks, found.n_annotators, *counts))
    return _csv(rows)


def themes_csv(results: TransferResults) -> str:
    head = ("source_theme", "target_theme", "pairs", "better", "worse")
    rows = ((t.source_theme, t.target_theme, t.n, t.better, t.worse) for t in results.themes)
    return _csv([head, *rows])


def scores_csv(results: TransferResults, kind: TaskKind) -> str:
    """Sources down, targets of one kind across; the baseline of a target is in its own row."""
    targets = results.of_kind(kind)
    rows: list[Sequence[Cell]] = [("source", *(task.name for task in targets))]
    rows += [
        (source.name, *(score_after(results, source, target) for target in targets))
        for source in results.tasks
    ]
    return _csv(rows)


def scores_latex(results: TransferResults, kind: TaskKind) -> str:
    targets = results.of_kind(kind)
    best = {target.name: best_score(results, target) for target in targets}
    lines = [latex_row("", *(latex_escaped(task.name) for task in targets)), r"\midrule"]
    for source in results.tasks:
        cells = [
            _latex_cell(score_after(results, source, target), source is target, best[target.name])
            for target in targets
        ]
        lines.append(latex_row(latex_escaped(source.name), *cells))
    caption = (
        f"{METRIC[kind]} on each target (columns) after each source (rows), mean of {len(results.seeds)} "
        f"seed{'s' if len(results.seeds) > 1 else ''}. Baselines are underlined, and the best of a column is bold."
    )
    label = f"transfer-{kind.value}"
    return booktabs(lines, columns=f"l{'r' * len(targets)}", caption=caption, label=label, wide=True)


def importance_latex(results: TransferResults) -> str:
    lines = [latex_row("Feature", "Importance"), r"\midrule"]
    lines += [
        latex_row(latex_escaped(f.feature), rf"{_digits(f.importance, 3)} $\pm$ {_digits(f.sd, 3)}")
        for f in results.importances.features
    ]
    fit = results.importances.held_out_r2
    caption = "Fall of R2 when a feature is shuffled, in regressions fitted to the change over the baseline."
    if fit is not None:
        caption += f" On pairs held out, R2 is {fit:.2f}."
    return booktabs(lines, columns="lr", caption=caption, label="transfer-importance")


def score_after(results: TransferResults, source: TaskFacts, target: TaskFacts) -> float | None:
    """Of the target after the source; its baseline where they are the same task."""
    pair = results.pair(source.name, target.name)
    return target.score if pair is None else pair.score


def best_score(results: TransferResults, target: TaskFacts) -> float | None:
    """As it is printed, so that what looks the same is marked the same."""
    found = [score_after(results, source, target) for source in results.tasks]
    return max((round(score, 2) for score in found if score is not None), default=None)


def _latex_cell(score: float | None, is_baseline: bool, best: float | None) -> str:
    """
    >>> _latex_cell(0.654, True, 0.65), _latex_cell(-0.1, False, 0.65), _latex_cell(None, False, None)
    ('\\\\textbf{\\\\underline{.65}}', '$-$.10', '--')
    """
    if score is None:
        return "--"
    text = _digits(score, 2).replace("0.", ".", 1)
    text = rf"\underline{{{text}}}" if is_baseline else text
    return rf"\textbf{{{text}}}" if best is not None and round(score, 2) == best else text


def _digits(value: float, digits: int) -> str:
    return f"{round(value, digits) or 0.0:.{digits}f}".replace("-", "$-$")


def _percent(part: float | None) -> float | None:
    return None if part is None else 100 * part


def _csv(rows: Iterable[Sequence[Cell]]) -> str:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([_format(cell) for cell in row] for row in rows)
    return text.getvalue()


def _format(cell: Cell) -> Cell:
    return f"{cell:.6g}" if isinstance(cell, float) else safe_cell(cell)
