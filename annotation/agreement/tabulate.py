"""Lays the judgments of a batch out as arrays, once, for everything that is measured on it."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.bootstrap import cluster_places
from annotation.agreement.ratings import RatingsUnusable
from annotation.agreement.values import BatchJudgments, ItemAnswer, JudgedCode, Ratings, judgments_in_order

# For each rater, what they marked by the item's place; items without a mark are not there.
Marks = tuple[dict[int, frozenset[int]], ...]


@dataclass(frozen=True, slots=True, eq=False)
class BatchTable:
    """`values[c, i, r]` is what rater r answered for code c on item i, NaN where nothing; items lie in clusters.

    `evidence` and `sentences` have what was marked, by code.
    """

    judgments: BatchJudgments
    items: tuple[str, ...]
    raters: tuple[str, ...]
    values: NDArray[np.float64]
    flagged: NDArray[np.bool_]
    answers: dict[tuple[int, int], ItemAnswer]
    evidence: dict[str, Marks]
    sentences: dict[str, Marks]
    cluster_names: tuple[str, ...]
    clusters: NDArray[np.int64]
    n_clusters: int

    def ratings(self, at: int) -> Ratings:
        """The ratings of one code, by its place."""
        return Ratings(self.items, self.raters, self.values[at], self.cluster_names)


def tabulate(judgments: BatchJudgments) -> BatchTable:
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
    cluster_names = tuple(item.cluster for item in judgments.items)
    clusters, n_clusters = cluster_places(items, cluster_names)
    return BatchTable(
        judgments=judgments,
        items=items,
        raters=raters,
        **_arrays(judgments.codes, answers, (len(items), len(raters))),
        answers=answers,
        evidence=_marks(answers, len(raters), lambda answer: answer.evidence),
        sentences=_marks(answers, len(raters), lambda answer: answer.sentences),
        cluster_names=cluster_names,
        clusters=clusters,
        n_clusters=n_clusters,
    )


class _Arrays(TypedDict):
    values: NDArray[np.float64]
    flagged: NDArray[np.bool_]


def _arrays(
    codes: tuple[JudgedCode, ...], answers: dict[tuple[int, int], ItemAnswer], shape: tuple[int, int]
) -> _Arrays:
    items, raters = np.array([*answers], dtype=np.int64).reshape(-1, 2).T
    values = np.full((len(codes), *shape), np.nan)
    for at, code in enumerate(codes):
        values[at, items, raters] = [answer.values.get(code.code_id, np.nan) for answer in answers.values()]
    flagged = np.zeros(shape, dtype=np.bool_)
    flagged[items, raters] = [answer.is_flagged for answer in answers.values()]
    return {"values": values, "flagged": flagged}


def _marks(
    answers: dict[tuple[int, int], ItemAnswer],
    n_raters: int,
    marked_in: Callable[[ItemAnswer], dict[str, tuple[int, ...]]],
) -> dict[str, Marks]:
    found: defaultdict[str, Marks] = defaultdict(lambda: tuple({} for _ in range(n_raters)))
    for (item, rater), answer in answers.items():
        for code_id, places in marked_in(answer).items():
            if places:
                found[code_id][rater][item] = frozenset(places)
    return dict(found)


def sentence_ratings(table: BatchTable, code: JudgedCode) -> tuple[Ratings, NDArray[np.int64]]:
    """Each sentence is a unit that a rater marked (1) or did not (0), and belongs to its item.

    The ratings, and the place of the item that each sentence is in.
    """
    lengths = [item.n_sentences.get(code.part, 0) for item in table.judgments.items]
    starts = np.cumsum([0, *lengths])
    values = np.full((int(starts[-1]), len(table.raters)), np.nan)
    for (item, rater), answer in table.answers.items():
        if code.code_id in answer.values:
            values[starts[item] : starts[item + 1], rater] = 0
            marked = [at for at in answer.sentences.get(code.code_id, ()) if at < lengths[item]]
            values[starts[item] + np.array(marked, dtype=np.int64), rater] = 1
    items = np.repeat(np.arange(len(lengths)), lengths)
    names = tuple(f"{table.items[item]} {at - starts[item] + 1}" for at, item in enumerate(items))
    clusters = tuple(table.judgments.items[item].cluster for item in items)
    return Ratings(names, table.raters, values, clusters), items
