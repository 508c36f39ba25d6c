"""Runs of different learners side by side on the same gold: themes down, learners, inputs and evidence across."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from annotation.release.rows import SplitPart
from codebook.schema import Codebook, Part
from learning.probe.values import Rate
from learning.scoring.values import HEADLINE, Evaluation, Metric, ScoreEstimate

# Scores are shown in hundredths with two digits, and what looks the same is equally good.
_SHOWN = 4


class RunsDiffer(ValueError):
    """Runs that cannot stand side by side."""


@dataclass(frozen=True, slots=True)
class RunName:
    """`input` says what the learner reads, such as reply or post + reply; `with_evidence`, whether it learns words
    too."""

    learner: str
    input: str
    with_evidence: bool


@dataclass(frozen=True, slots=True)
class Run:
    """`sensitivities` are those that a context probe found, by code; none where it was not probed."""

    name: RunName
    evaluation: Evaluation
    sensitivities: Mapping[str, Rate] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Cell:
    """`score` is None where the run did not measure the code at all, `sensitivity` where no context probe did."""

    score: ScoreEstimate | None
    is_best: bool
    sensitivity: Rate | None = None


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A code, or (None) the mean over the codes of a part or of all parts; a cell for each run."""

    code_id: str | None
    name: str
    part: Part | None
    metric: Metric
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """`is_probed` by run: whether it has a column of sensitivities."""

    runs: tuple[RunName, ...]
    is_probed: tuple[bool, ...]
    rows: tuple[BoardRow, ...]
    split: SplitPart | None
    n_items: int


def leaderboard(runs: Sequence[Run], codebook: Codebook) -> Leaderboard:
    """Runs stay in the order given, baselines where one puts them. Raises RunsDiffer."""
    _check(runs)
    evaluations = [run.evaluation for run in runs]
    return Leaderboard(
        runs=tuple(run.name for run in runs),
        is_probed=tuple(bool(run.sensitivities) for run in runs),
        rows=tuple(_with_sensitivities(row, runs) for row in _rows(evaluations, codebook)),
        split=evaluations[0].split,
        n_items=evaluations[0].n_items,
    )


def _check(runs: Sequence[Run]) -> None:
    if not runs:
        raise RunsDiffer("There are no runs: evaluate at least one.")
    if len({run.evaluation.gold_hash for run in runs}) > 1:
        raise RunsDiffer(
            "The runs were measured on different gold: evaluate all on the same part of one release."
        )
    names = [run.name for run in runs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise RunsDiffer(f"“{twice.learner}” is there twice with the same input: give each run its own name.")


def _with_sensitivities(row: BoardRow, runs: Sequence[Run]) -> BoardRow:
    code = row.code_id
    if code is None:
        return row
    pairs = zip(row.cells, runs, strict=True)
    return replace(
        row, cells=tuple(replace(cell, sensitivity=run.sensitivities.get(code)) for cell, run in pairs)
    )


def _rows(evaluations: Sequence[Evaluation], codebook: Codebook) -> Iterator[BoardRow]:
    coded = list(codebook.coded_questions())
    parts = [part for part in Part if any(question.part is part for question, _ in coded)]
    for part in parts:
        own = [(question, code) for question, code in coded if question.part is part]
        for question, code in own:
            metric = HEADLINE[question.answer]
            found = [each.code(code.id) for each in evaluations]
            scores = [each.scores.get(metric) if each else None for each in found]
            yield BoardRow(code.id, code.name, part, metric, _cells(scores, metric))
        if len(parts) > 1:
            yield from _means(evaluations, part, [HEADLINE[question.answer] for question, _ in own])
    yield from _means(evaluations, None, [HEADLINE[question.answer] for question, _ in coded])


def _means(
    evaluations: Sequence[Evaluation], part: Part | None, metrics: Sequence[Metric]
) -> Iterator[BoardRow]:
    """One for each measure that stands for some of the codes: measures are never averaged with each other."""
    distinct = tuple(dict.fromkeys(metrics))
    for metric in distinct:
        name = "Mean" if len(distinct) == 1 else f"Mean of {metric.value}"
        found = [each.mean(part) for each in evaluations]
        scores = [each.scores.get(metric) if each else None for each in found]
        yield BoardRow(None, name, part, metric, _cells(scores, metric))


def _cells(scores: Sequence[ScoreEstimate | None], metric: Metric) -> tuple[Cell, ...]:
    shown = [None if each is None or each.value is None else round(each.value, _SHOWN) for each in scores]
    defined = [value for value in shown if value is not None]
    best = (min if metric.is_error else max)(defined, default=None)
    return tuple(
        Cell(score, value is not None and value == best) for score, value in zip(scores, shown, strict=True)
    )
