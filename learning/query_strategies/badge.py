"""Items that would move the model much, and each in another direction: BADGE-like.

An item's vector is the gradient that its likeliest answers would give the last layer: for each code the residual
a = p - onehot(likeliest), times the item's embedding e. Items are taken as k-means++ takes its seeds, each with a
probability in proportion to its squared distance from the nearest one taken; the first has the longest vector. As
⟨a e, a' e'⟩ = ⟨a, a'⟩ ⟨e, e'⟩, the long vectors are never made. (Ash et al. 2020, ICLR; "like", because the codes
share one embedding that need not be the last layer's.)
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from learning.query_strategies.pool import Pool, PoolUnfit, Scores, scores_of_order


def residuals(probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """p minus 1 at the likeliest answer; 0 where there are no probabilities.

    >>> residuals(np.array([[0.75, 0.25], [np.nan, np.nan]])).tolist()
    [[-0.25, 0.25], [0.0, 0.0]]
    """
    known = np.nan_to_num(probabilities)
    likeliest = np.eye(known.shape[-1])[known.argmax(axis=-1)]
    return np.where(np.isnan(probabilities), 0.0, known - likeliest)


@dataclass(frozen=True, slots=True)
class BadgeLike:
    """`n` is how many items are put in order, at least the size of the batch; the others all score 0."""

    n: int
    seed: int
    name: ClassVar[str] = "badge-like"
    is_random: ClassVar[bool] = False

    def scores(self, pool: Pool) -> Scores:
        if pool.embeddings is None or not pool.probabilities:
            raise PoolUnfit("BADGE needs embeddings and probabilities: predict and embed the pool first.")
        moved = np.concatenate([residuals(each.mean(axis=0)) for each in pool.probabilities], axis=1)
        return scores_of_order(self._order(moved, pool.embeddings), len(pool.item_ids))

    def _order(self, moved: NDArray[np.float64], points: NDArray[np.float64]) -> list[int]:
        rng = np.random.default_rng(self.seed)
        lengths = (moved**2).sum(axis=1) * (points**2).sum(axis=1)
        chosen = [int(lengths.argmax())]
        nearest = np.full(len(points), np.inf)
        while len(chosen) < min(self.n, len(points)):
            last = chosen[-1]
            products = (moved @ moved[last]) * (points @ points[last])
            nearest = np.minimum(nearest, np.maximum(lengths + lengths[last] - 2 * products, 0))
            nearest[chosen] = 0
            if not nearest.sum() > 0:
                break
            chosen.append(int(rng.choice(len(points), p=nearest / nearest.sum())))
        return chosen
