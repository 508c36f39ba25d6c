"""How well each task measures its construct, as raters see it: agreement by aspect, differences, and means by task.

The ratings come from a table (task, annotator, a column for each aspect) or from a release whose codebook asks for
points on a scale, such as the shipped `construct-ratings`: there an item's title is the name of its task.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from statistics import fmean

import msgspec

from annotation.agreement.measure import measure_ratings
from annotation.agreement.ratings import ratings_table
from annotation.agreement.spearman import spearman_r
from annotation.agreement.values import MeasurementLevel
from annotation.release.read import read_release
from codebook.schema import AnswerKind
from corpus.errors import WrongType
from corpus.rules import ReadLimits

TASK, ANNOTATOR = "task", "annotator"
OVERALL = "overall"
RESAMPLES = 1000


class Rating(msgspec.Struct, frozen=True):
    task: str
    annotator: str
    aspect: str
    value: float


class AspectAgreement(msgspec.Struct, frozen=True):
    """Krippendorff's alpha at interval level and Spearman's r between raters, with 95% intervals over tasks.

    `differences` counts pairs of ratings of one task by how far apart they are.
    """

    aspect: str
    alpha: float | None
    alpha_low: float | None
    alpha_high: float | None
    spearman: float | None
    spearman_low: float | None
    spearman_high: float | None
    n_tasks: int
    n_annotators: int
    differences: dict[str, int]


class RatingsMissing(ValueError):
    def __init__(self, tasks: Sequence[str], path: str) -> None:
        super().__init__(
            f"{path} has no rating of {', '.join(f'“{task}”' for task in tasks)}. Rate them, or leave `ratings` out."
        )


def read_construct_ratings(path: Path) -> tuple[Rating, ...]:
    return tuple(_of_release(path) if path.is_dir() else _of_table(path))


def _of_table(path: Path) -> Iterable[Rating]:
    from corpus.cells import text_cells  # polars comes with it
    from corpus.table_columns import table_columns
    from corpus.tables import read_table

    aspects = [name for name in table_columns(path, ReadLimits()) if name not in (TASK, ANNOTATOR)]
    for batch in read_table(path, [TASK, ANNOTATOR, *aspects], ReadLimits()):
        tasks, annotators = (text_cells(path, batch, name) for name in (TASK, ANNOTATOR))
        for aspect in aspects:
            cells = text_cells(path, batch, aspect)
            for row, (task, annotator, cell) in enumerate(
                zip(tasks, annotators, cells, strict=True), start=batch.first_row
            ):
                if task and annotator and cell:
                    yield Rating(task, annotator, aspect, _number(path, row, aspect, cell))


def _number(path: Path, row: int, column: str, cell: str) -> float:
    try:
        return float(cell)
    except ValueError as error:
        place = f"row {row:,}, column {column!r}"
        raise WrongType(
            path, place, f"{cell!r} is no rating.", "Write a number, or leave it empty."
        ) from error


def _of_release(path: Path) -> Iterable[Rating]:
    release = read_release(path)
    scales = {c.id for q, c in release.codebook.coded_questions() if q.answer is AnswerKind.SCALE}
    for row in release.rows:
        title = "" if row.item.texts is None else row.item.texts.title.strip()
        for label in row.labels:
            if title and label.code in scales:
                for vote in label.votes:
                    yield Rating(title, vote.annotator, label.code, float(vote.value))


def aspect_means(ratings: Sequence[Rating]) -> dict[str, dict[str, float]]:
    """By task and aspect, the mean over annotators."""
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for each in ratings:
        found[each.task][each.aspect].append(each.value)
    return {task: {aspect: fmean(values) for aspect, values in of.items()} for task, of in found.items()}


def measure_construct_ratings(ratings: Sequence[Rating], *, seed: int) -> tuple[AspectAgreement, ...]:
    """Each aspect in the order in which it first comes, then all ratings together, resampled by task."""
    aspects = list(dict.fromkeys(each.aspect for each in ratings))
    found = [_agreement(aspect, [r for r in ratings if r.aspect == aspect], seed) for aspect in aspects]
    return (*found, _agreement(OVERALL, ratings, seed)) if len(aspects) > 1 else tuple(found)


def _agreement(aspect: str, ratings: Sequence[Rating], seed: int) -> AspectAgreement:
    rows: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for each in ratings:
        rows[each.task, each.aspect][each.annotator] = each.value
    annotators = sorted({each.annotator for each in ratings})
    table = ratings_table(
        [[row.get(annotator) for annotator in annotators] for row in rows.values()],
        raters=annotators,
        items=[" · ".join(key) for key in rows],
        clusters=[task for task, _ in rows],
    )
    alpha = measure_ratings(table, level=MeasurementLevel.INTERVAL, resamples=RESAMPLES, seed=seed)[
        "krippendorff_alpha"
    ]
    rank = spearman_r(table, resamples=RESAMPLES, seed=seed)
    return AspectAgreement(
        aspect,
        *(alpha.value, alpha.low, alpha.high),
        *(rank.value, rank.low, rank.high),
        n_tasks=len({task for task, _ in rows}),
        n_annotators=len(annotators),
        differences=_differences(rows.values()),
    )


def _differences(rows: Iterable[Mapping[str, float]]) -> dict[str, int]:
    """
    >>> _differences([{"A": 1.0, "B": 3.0}, {"A": 2.0, "B": 2.0}, {"A": 4.0, "B": 4.0}])
    {'0': 2, '2': 1}
    """
    found = Counter(abs(one - other) for row in rows for one, other in combinations(row.values(), 2))
    return {f"{apart:g}": found[apart] for apart in sorted(found)}
