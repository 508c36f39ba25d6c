"""Whether a model that began from a source is better than the target's baseline: a paired bootstrap.

Groups of test items are drawn with replacement, the same for all models of a target, and so are seeds, the same for
both models of a comparison: chance lies in the texts and in the training. The score on a draw is the mean over the
drawn seeds. With p-values as in `learning.scoring.paired_bootstrap`, corrected by Holm over all pairs of the study
and, for those who screen, by Benjamini and Hochberg. With three seeds, drawing them makes the spread of training look
smaller than it is, by a factor of about √(2/3).

Macro-F1 is of the classes that the gold of the test part has or the model names, Pearson's r is of numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from learning.scoring.benjamini_hochberg import benjamini_hochberg
from learning.scoring.holm import holm
from learning.scoring.macro_f1 import macro_f1_of_counts
from learning.scoring.paired_bootstrap import difference
from learning.scoring.values import Difference
from learning.transfer.splitting import Task
from learning.transfer.study import TaskKind

Numbers = NDArray[np.float64]
# Draws of items that are held in memory at a time.
_AT_ONCE = 1000
UNDEFINED = "all its predictions are the same on the test part"


def score(kind: TaskKind, n_classes: int, gold: Numbers, predicted: Numbers) -> float:
    """
    >>> score(TaskKind.REGRESSION, 0, np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0]))
    1.0
    """
    return float(_scores(kind, n_classes, gold, predicted, np.ones((1, len(gold))))[0])


def _scores(kind: TaskKind, n_classes: int, gold: Numbers, predicted: Numbers, weights: Numbers) -> Numbers:
    """For each row of weights of the items."""
    if kind is TaskKind.REGRESSION:
        return _pearson(gold, predicted, weights)
    is_gold = np.eye(n_classes)[gold.astype(np.int64)]
    is_predicted = np.eye(n_classes)[predicted.astype(np.int64)]
    return macro_f1_of_counts(weights @ (is_gold * is_predicted), weights @ is_gold, weights @ is_predicted)


def _pearson(x: Numbers, y: Numbers, weights: Numbers) -> Numbers:
    """NaN where one of the two is always the same."""
    x, y = x - x.mean(), y - y.mean()
    total, sx, sy, sxx, syy, sxy = (weights @ each for each in (np.ones(len(x)), x, y, x * x, y * y, x * y))
    spread = (sxx - sx**2 / total) * (syy - sy**2 / total)
    tiny = 1e-12 * np.maximum(1e-300, sxx * syy)
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Numbers = np.where(spread > tiny, (sxy - sx * sy / total) / np.sqrt(spread), np.nan)
    return np.clip(found, -1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Of a pair with the target's baseline; `scores` and `baseline_scores` are by seed, in the order of the study."""

    source: str
    target: str
    scores: tuple[float, ...]
    baseline_scores: tuple[float, ...]
    difference: Difference
    p_bh: float | None


Predictions = Mapping[int, Sequence[float]]


def compare_with_baselines(
    tasks: Sequence[Task],
    predictions: Mapping[tuple[str, str], Predictions],
    seeds: Sequence[int],
    *,
    resamples: int,
    seed: int,
) -> tuple[Comparison, ...]:
    """`predictions` are by source and target, those of baselines by "" and target; each target's pairs in the order of
    the tasks."""
    found = [
        comparison
        for task in tasks
        for comparison in _of_target(task, tasks, predictions, seeds, resamples, seed)
    ]
    return _correct(found)


def _of_target(
    task: Task,
    tasks: Sequence[Task],
    predictions: Mapping[tuple[str, str], Predictions],
    seeds: Sequence[int],
    resamples: int,
    seed: int,
) -> list[Comparison]:
    rng = np.random.default_rng([seed, *task.name.encode()])
    groups = {name: at for at, name in enumerate(dict.fromkeys(item.group for item in task.test))}
    of_item = np.array([groups[item.group] for item in task.test])
    draws = [
        rng.multinomial(len(groups), np.full(len(groups), 1 / len(groups)), min(_AT_ONCE, resamples - start))
        for start in range(0, resamples, _AT_ONCE)
    ]
    times = rng.multinomial(len(seeds), np.full(len(seeds), 1 / len(seeds)), resamples)
    weights_of_seeds = np.vstack([np.ones(len(seeds)), times]) / len(seeds)

    def values(source: str) -> tuple[tuple[float, ...], Numbers]:
        """By seed on all items, and the mean over seeds on all items and on each draw."""
        drawn = _by_seed(task, predictions[source, task.name], seeds, draws, of_item)
        return tuple(drawn[0].tolist()), np.where(weights_of_seeds > 0, weights_of_seeds * drawn, 0.0).sum(
            axis=1
        )

    baseline_scores, baseline = values("")
    found = []
    for source in (each.name for each in tasks if each.name != task.name):
        scores, own = values(source)
        apart = difference(own, baseline, reasons=(UNDEFINED, UNDEFINED), n_units=len(groups))
        found.append(Comparison(source, task.name, scores, baseline_scores, apart, None))
    return found


def _by_seed(
    task: Task,
    predictions: Predictions,
    seeds: Sequence[int],
    draws: Sequence[NDArray[np.int64]],
    of_item: NDArray[np.int64],
) -> Numbers:
    gold = np.array([item.label for item in task.test])
    weights = (np.ones((1, len(gold))), *(draw[:, of_item].astype(np.float64) for draw in draws))
    columns = [np.array(predictions[seed], dtype=np.float64) for seed in seeds]
    return np.vstack(
        [
            np.column_stack([_scores(task.kind, len(task.classes), gold, each, rows) for each in columns])
            for rows in weights
        ]
    )


def _correct(found: Sequence[Comparison]) -> tuple[Comparison, ...]:
    """Over all pairs that have a p-value."""
    tested = [each.difference.p for each in found if each.difference.p is not None]
    both = iter(zip(holm(tested), benjamini_hochberg(tested), strict=True))
    return tuple(each if each.difference.p is None else _with(each, *next(both)) for each in found)


def _with(found: Comparison, p_holm: float, p_bh: float) -> Comparison:
    return replace(found, difference=replace(found.difference, p_holm=p_holm), p_bh=p_bh)
