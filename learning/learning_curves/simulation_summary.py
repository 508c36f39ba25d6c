"""What a simulation says of each strategy, next to random: how many labels it needed, and how much better it was.

Strategies with the same seed began with the same labels, so they are compared pair by pair. The intervals are over
seeds, that is over other beginnings in the same data; they say nothing about other texts or another learner.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from learning.learning_curves.intervals import Interval, Numbers, mean_interval
from learning.learning_curves.labels_needed import labels_needed
from learning.learning_curves.simulation import Run, Simulation
from learning.query_strategies.names import StrategyName

SHARE_OF_FULL = 0.95


@dataclass(frozen=True, slots=True)
class StrategySummary:
    """`labels` and `minutes` are means over the seeds, None unless all of them reach the target.

    `labels_apart` is the strategy's number of labels less random's, `score_apart` the mean over the whole curve of
    its score less random's; both are None for random itself, and the first also where not all of its own runs reach
    the target. Where runs of random do not, they count as if they did with the last label, and `is_bound` says that
    the true difference is below the value.
    """

    strategy: str
    n_runs: int
    n_reached: int
    labels: float | None
    minutes: float | None
    labels_apart: Interval | None
    is_bound: bool
    score_apart: Interval | None
    last_score: float


def target_of(simulation: Simulation) -> float:
    return SHARE_OF_FULL * simulation.full_score


def summaries(simulation: Simulation) -> tuple[StrategySummary, ...]:
    target = target_of(simulation)
    base = simulation.runs_of(StrategyName.RANDOM)
    return tuple(
        _summary(simulation.runs_of(name), () if name == StrategyName.RANDOM else base, target)
        for name in simulation.settings.strategies
    )


def _summary(runs: Sequence[Run], base: Sequence[Run], target: float) -> StrategySummary:
    labels = [_labels_needed(run, target) for run in runs]
    minutes = [_labels_needed(run, target, in_minutes=True) for run in runs]
    reached = [each for each in labels if each is not None]
    whole = len(reached) == len(runs)
    needed_by_base = [_labels_needed(run, target) for run in base]
    most = float(runs[0].points[-1].n_labels)
    return StrategySummary(
        strategy=runs[0].strategy,
        n_runs=len(runs),
        n_reached=len(reached),
        labels=float(np.mean(reached)) if whole else None,
        minutes=float(np.mean([each for each in minutes if each is not None])) if whole else None,
        labels_apart=_labels_apart(labels, [most if each is None else each for each in needed_by_base]),
        is_bound=None in needed_by_base,
        score_apart=_score_apart(runs, base),
        last_score=float(np.mean([run.points[-1].score for run in runs])),
    )


def _labels_needed(run: Run, target: float, *, in_minutes: bool = False) -> float | None:
    sizes = [point.minutes if in_minutes else float(point.n_labels) for point in run.points]
    return labels_needed(sizes, [point.score for point in run.points], target)


def _labels_apart(own: Sequence[float | None], base: Sequence[float]) -> Interval | None:
    reached = [each for each in own if each is not None]
    if not base or len(reached) < len(base):
        return None
    return mean_interval(np.array(reached) - np.array(base))


def _score_apart(runs: Sequence[Run], base: Sequence[Run]) -> Interval | None:
    if not base:
        return None
    own, other = (np.array([_scores(run) for run in each]) for each in (runs, base))
    # The beginning is the same for all and would only thin the difference out.
    return mean_interval((own - other)[:, 1:].mean(axis=1))


def _scores(run: Run) -> Numbers:
    return np.array([point.score for point in run.points])


def mean_curve(runs: Sequence[Run]) -> list[tuple[int, float]]:
    """Labels and the mean score over the seeds."""
    sizes = [point.n_labels for point in runs[0].points]
    return list(zip(sizes, np.mean([_scores(run) for run in runs], axis=0).tolist(), strict=True))
