"""What a transfer study found, in one file that pages and tables are made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from statistics import fmean, median

import msgspec

from learning.transfer.cells import CellAnswer, GridCell, predictions_by_cell
from learning.transfer.construct_ratings import (
    AspectAgreement,
    Rating,
    RatingsMissing,
    aspect_means,
    measure_construct_ratings,
)
from learning.transfer.features import PairFeatures, pair_features
from learning.transfer.importance import Importances, feature_importances
from learning.transfer.significance import Comparison, compare_with_baselines
from learning.transfer.splitting import Task
from learning.transfer.study import TaskKind, TransferStudy

RESULTS = "transfer.json"
ALPHA = 0.05


class Verdict(StrEnum):
    BETTER = "better"
    WORSE = "worse"
    UNRESOLVED = "not resolved"


class TaskFacts(msgspec.Struct, frozen=True):
    """`scores` of the baseline by seed; None where it has none."""

    name: str
    kind: TaskKind
    classes: tuple[str, ...]
    n_train: int
    n_validation: int
    n_test: int
    n_test_groups: int
    n_left_out: int
    scores: tuple[float | None, ...]
    source: str = ""
    setting: str = ""
    theme: str = ""
    ratings: dict[str, float] = {}

    @property
    def score(self) -> float | None:
        return _mean(self.scores)


class PairResult(msgspec.Struct, frozen=True):
    """`change` is the difference in parts of the baseline, with its interval; None where a baseline is not above 0.

    `p_holm` and `p_bh` are corrected for all pairs of the study.
    """

    source: str
    target: str
    kind: TaskKind
    scores: tuple[float | None, ...]
    score: float | None
    baseline: float | None
    difference: float | None
    low: float | None
    high: float | None
    change: float | None
    change_low: float | None
    change_high: float | None
    p: float | None
    p_holm: float | None
    p_bh: float | None
    note: str = ""

    @property
    def verdict(self) -> Verdict:
        if self.p_holm is None or self.difference is None or self.p_holm >= ALPHA:
            return Verdict.UNRESOLVED
        return Verdict.BETTER if self.difference > 0 else Verdict.WORSE


class ThemeCount(msgspec.Struct, frozen=True):
    source_theme: str
    target_theme: str
    n: int
    better: int
    worse: int


class TransferResults(msgspec.Struct, frozen=True):
    name: str
    seeds: tuple[int, ...]
    backbone: str
    tasks: tuple[TaskFacts, ...]
    pairs: tuple[PairResult, ...]
    importances: Importances
    themes: tuple[ThemeCount, ...]
    agreement: tuple[AspectAgreement, ...]
    conclusion: tuple[str, ...]

    def pair(self, source: str, target: str) -> PairResult | None:
        return next((each for each in self.pairs if (each.source, each.target) == (source, target)), None)

    def of_kind(self, kind: TaskKind) -> tuple[TaskFacts, ...]:
        return tuple(task for task in self.tasks if task.kind is kind)


class ResultsUnreadable(ValueError):
    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} holds no results of a transfer study. Run the study again.")


def read_results(path: Path) -> TransferResults:
    try:
        return msgspec.json.decode(path.read_bytes(), type=TransferResults)
    except (OSError, msgspec.MsgspecError) as error:
        raise ResultsUnreadable(path) from error


def summarise(
    study: TransferStudy,
    tasks: Sequence[Task],
    answers: Mapping[GridCell, CellAnswer],
    ratings: Sequence[Rating] = (),
) -> tuple[TransferResults, tuple[PairFeatures, ...]]:
    """And the features of each pair, which are a table of their own."""
    of_tasks = constructs(study, ratings)
    comparisons = compare_with_baselines(
        tasks,
        predictions_by_cell(answers),
        study.every_seed,
        resamples=study.resamples,
        seed=study.first_seed,
    )
    kinds = {task.name: task.kind for task in tasks}
    baselines = {each.target: _nan_to_none(each.baseline_scores) for each in comparisons}
    pairs = tuple(_pair(each, kinds[each.target]) for each in comparisons)
    descriptions = {cell.target: a.description for cell, a in answers.items() if a.description is not None}
    features = pair_features(tasks, study.tasks, of_tasks, descriptions)
    changes = [None if pair.change is None else 100 * pair.change for pair in pairs]
    results = TransferResults(
        name=study.name,
        seeds=study.every_seed,
        backbone=study.training.backbone,
        tasks=tuple(
            _facts(task, study, at, baselines[task.name], of_tasks.get(task.name, {}))
            for at, task in enumerate(tasks)
        ),
        pairs=pairs,
        importances=feature_importances(features, changes, seed=study.first_seed),
        themes=_themes(study, pairs),
        agreement=measure_construct_ratings(ratings, seed=study.first_seed) if ratings else (),
        conclusion=_conclusion(pairs),
    )
    return results, features


def constructs(study: TransferStudy, ratings: Sequence[Rating]) -> dict[str, dict[str, float]]:
    """By task: what raters say, on average, or what the study itself says."""
    written = {task.name: dict(task.ratings) for task in study.tasks if task.ratings}
    if not ratings:
        return written
    rated = aspect_means(ratings)
    missing = [task.name for task in study.tasks if task.name not in rated and task.name not in written]
    if missing:
        raise RatingsMissing(missing, study.ratings)
    return {task.name: rated.get(task.name) or written[task.name] for task in study.tasks}


def _pair(found: Comparison, kind: TaskKind) -> PairResult:
    apart = found.difference
    base = apart.second

    def part(value: float | None) -> float | None:
        return None if value is None or base is None or base <= 0 else value / base

    return PairResult(
        source=found.source,
        target=found.target,
        kind=kind,
        scores=_nan_to_none(found.scores),
        score=apart.first,
        baseline=base,
        difference=apart.value,
        low=apart.low,
        high=apart.high,
        change=part(apart.value),
        change_low=part(apart.low),
        change_high=part(apart.high),
        p=apart.p,
        p_holm=apart.p_holm,
        p_bh=found.p_bh,
        note=apart.note,
    )


def _facts(
    task: Task, study: TransferStudy, at: int, scores: tuple[float | None, ...], ratings: dict[str, float]
) -> TaskFacts:
    source = study.tasks[at]
    return TaskFacts(
        name=task.name,
        kind=task.kind,
        classes=task.classes,
        n_train=len(task.train),
        n_validation=len(task.validation),
        n_test=len(task.test),
        n_test_groups=len({item.group for item in task.test}),
        n_left_out=task.n_left_out,
        scores=scores,
        source=source.origin,
        setting=source.setting,
        theme=source.theme,
        ratings=ratings,
    )


def _nan_to_none(scores: Sequence[float]) -> tuple[float | None, ...]:
    """JSON has no NaN."""
    return tuple(None if score != score else score for score in scores)


def _mean(scores: Sequence[float | None]) -> float | None:
    known = [score for score in scores if score is not None]
    return fmean(known) if known and len(known) == len(scores) else None


def _themes(study: TransferStudy, pairs: Sequence[PairResult]) -> tuple[ThemeCount, ...]:
    theme = {task.name: task.theme for task in study.tasks}
    names = [name for name in dict.fromkeys(theme.values()) if name]
    found = []
    for source in names:
        for target in names:
            own = [p for p in pairs if (theme[p.source], theme[p.target]) == (source, target)]
            verdicts = [pair.verdict for pair in own]
            if own:
                counts = (verdicts.count(Verdict.BETTER), verdicts.count(Verdict.WORSE))
                found.append(ThemeCount(source, target, len(own), *counts))
    return tuple(found)


def _conclusion(pairs: Sequence[PairResult]) -> tuple[str, ...]:
    """What can be said, and how small an effect would have been missed."""
    tested = [pair for pair in pairs if pair.p_holm is not None]
    if not tested:
        return ("No pair could be compared with its baseline: see the notes of the tests.",)
    verdicts = [pair.verdict for pair in tested]
    better, worse = verdicts.count(Verdict.BETTER), verdicts.count(Verdict.WORSE)
    raw = sum(1 for pair in tested if pair.p is not None and pair.p < ALPHA)
    found = [
        f"Of {len(tested)} pairs, beginning from the source made the target better in {better} and worse in {worse} "
        f"(Holm's correction at {ALPHA:.0%}); {raw} differ at {ALPHA:.0%} before correction, where "
        f"{ALPHA * len(tested):.1f} would by chance alone."
    ]
    changes = [pair for pair in tested if pair.change is not None]
    if changes:
        mean = fmean(pair.change or 0.0 for pair in changes)
        best, worst = (f(changes, key=lambda pair: pair.change or 0.0) for f in (max, min))
        found.append(
            f"The change is {mean:+.1%} of the baseline on average, from {_describe(worst)} to {_describe(best)}."
        )
    widths = [pair.high - pair.low for pair in tested if pair.high is not None and pair.low is not None]
    if widths:
        found.append(
            f"Half of the 95% intervals are wider than ±{median(widths) / 2:.3f}: smaller differences cannot be told "
            "with these test parts and seeds."
        )
    return tuple(found)


def _describe(pair: PairResult) -> str:
    interval = ""
    if pair.change_low is not None and pair.change_high is not None:
        interval = f" [{pair.change_low:+.1%}, {pair.change_high:+.1%}]"
    return f"{pair.change or 0.0:+.1%}{interval} ({pair.source} → {pair.target})"
