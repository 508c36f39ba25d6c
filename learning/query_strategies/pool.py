"""The items that could be annotated next, with what one or several models say about them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.totals import mean_of_defined
from codebook.schema import Codebook
from learning.predictions.rows import ItemPrediction, answer_values

Scores = NDArray[np.float64]


class PoolUnfit(ValueError):
    """A pool that a strategy cannot work with; the message says what it lacks."""


class OverCodes(StrEnum):
    """How an item's scores on its codes become one: their mean, or the highest of them."""

    MEAN = "mean"
    HIGHEST = "highest"


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """`probabilities` has an array (models, items, answers) for each code, NaN where a model says nothing of an item.

    `embeddings` has a row per item, `labelled` a row per item that is annotated already.
    """

    item_ids: tuple[str, ...]
    probabilities: tuple[NDArray[np.float64], ...] = ()
    embeddings: NDArray[np.float64] | None = None
    labelled: NDArray[np.float64] | None = None

    def score_codes(self, measure: Callable[[NDArray[np.float64]], Scores], over: OverCodes) -> Scores:
        """One score per item: `measure` makes (items,) of each code's array; an item without any score gets 0."""
        if not self.probabilities:
            raise PoolUnfit("This strategy needs probabilities: predict the pool first.")
        by_code = np.stack([measure(each) for each in self.probabilities], axis=-1)
        if over is OverCodes.MEAN:
            return np.nan_to_num(mean_of_defined(by_code))
        highest: Scores = np.fmax.reduce(by_code, axis=-1)
        return np.nan_to_num(highest)


def pool_of(
    committee: Sequence[Sequence[ItemPrediction]],
    codebook: Codebook,
    *,
    embeddings: NDArray[np.float64] | None = None,
    labelled: NDArray[np.float64] | None = None,
) -> Pool:
    """From the predictions of one or more models on the same items; embeddings are in the order of the first
    model's."""
    if not committee:
        raise PoolUnfit("There is no model: give the predictions of at least one.")
    items = tuple(prediction.item_id for prediction in committee[0])
    by_model = [{prediction.item_id: prediction for prediction in model} for model in committee]
    if any(set(model) != set(items) for model in by_model):
        raise PoolUnfit("The models predicted different items: predict the same pool with all of them.")
    if embeddings is not None and len(embeddings) != len(items):
        raise PoolUnfit(f"There are {len(embeddings)} embeddings for {len(items)} items: give one for each.")
    members = [[model[item] for item in items] for model in by_model]
    probabilities = tuple(
        np.array([_of_code(model, code.id, len(answer_values(question))) for model in members])
        for question, code in codebook.coded_questions()
    )
    return Pool(items, probabilities, embeddings, labelled)


def _of_code(model: Sequence[ItemPrediction], code_id: str, n_values: int) -> list[list[float]]:
    found = []
    for prediction in model:
        code = prediction.of(code_id)
        given = [probability for _, probability in code.probabilities] if code else []
        found.append(given or [np.nan] * n_values)
    return found


def scores_of_order(order: Sequence[int], n_items: int) -> Scores:
    """1 for the first place in the order, falling evenly; 0 for whoever is not in it.

    >>> scores_of_order([2, 0], 3).tolist()
    [0.5, 0.0, 1.0]
    """
    scores = np.zeros(n_items)
    scores[list(order)] = 1 - np.arange(len(order)) / max(1, len(order))
    return scores
