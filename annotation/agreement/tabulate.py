"""Lays the judgments of a batch out as arrays, once, for everything that is measured on it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.ordering import judgments_in_order
from annotation.agreement.ratings import RatingsUnusable
from annotation.agreement.resampling import cluster_places
from annotation.agreement.values import BatchJudgments, ItemAnswer, JudgedCode, Ratings


@dataclass(frozen=True, slots=True, eq=False)
class BatchTable:
    """`values[c, i, r]` is what rater r answered for code c on item i, NaN where nothing; items lie in clusters."""

    judgments: BatchJudgments
    items: tuple[str, ...]
    raters: tuple[str, ...]
    values: NDArray[np.float64]
    flagged: NDArray[np.bool_]
    answers: dict[tuple[int, int], ItemAnswer]
    clusters: NDArray[np.int64]
    n_clusters: int

    @property
    def cluster_names(self) -> tuple[str, ...]:
        return tuple(item.cluster for item in self.judgments.items)

    def ratings(self, at: int) -> Ratings:
        """The ratings of one code, by its place."""
        return Ratings(self.items, self.raters, self.values[at], self.cluster_names)


def tabulated(judgments: BatchJudgments) -> BatchTable:
    """Items and raters are in alphabetical order. Raises RatingsUnusable on answers of or to somebody unknown."""
    judgments = judgments_in_order(judgments)
    items, raters = tuple(item.item_id for item in judgments.items), judgments.raters
    item_at = {item: at for at, item in enumerate(items)}
    rater_at = {rater: at for at, rater in enumerate(raters)}
    answers: dict[tuple[int, int], ItemAnswer] = {}
    for answer in judgments.answers:
        if answer.item_id not in item_at or answer.rater not in rater_at:
            raise RatingsUnusable(
                f"There is an answer of {answer.rater} to {answer.item_id}, but not both of them."
            )
        place = item_at[answer.item_id], rater_at[answer.rater]
        if place in answers:
            raise RatingsUnusable(
                f"{answer.rater} answered {answer.item_id} twice: give the first answer alone."
            )
        answers[place] = answer
    clusters, n_clusters = cluster_places(items, tuple(item.cluster for item in judgments.items))
    shape = len(items), len(raters)
    flagged = np.zeros(shape, dtype=np.bool_)
    for place, answer in answers.items():
        flagged[place] = answer.is_flagged
    values = _values(judgments.codes, answers, shape)
    return BatchTable(judgments, items, raters, values, flagged, answers, clusters, n_clusters)


def _values(
    codes: tuple[JudgedCode, ...], answers: dict[tuple[int, int], ItemAnswer], shape: tuple[int, int]
) -> NDArray[np.float64]:
    values = np.full((len(codes), *shape), np.nan)
    for place, answer in answers.items():
        for at, code in enumerate(codes):
            if (value := answer.values.get(code.code_id)) is not None:
                values[at, *place] = value
    return values
