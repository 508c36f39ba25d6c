"""Items that cover the pool: each next one is the farthest from all that are annotated or chosen already.

The greedy choice leaves no item farther from its nearest chosen one than twice what is possible with as many
(Gonzalez 1985, Theoretical Computer Science 38; for active learning Sener & Savarese 2018, ICLR). On short replies
it has done worse than random: it likes what is odd.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from learning.query_strategies.pool import OverCodes, Pool, PoolUnfit, Scores, scores_of_order
from learning.query_strategies.uncertainty import Entropy


def k_centre_order(
    points: NDArray[np.float64], n: int, labelled: NDArray[np.float64], weights: Scores | None = None
) -> list[int]:
    """The first n places in greedy order; without labelled points it begins farthest from the middle.

    With weights, distances count as much as these say: what weighs nothing comes last.

    >>> k_centre_order(np.array([[0.0], [1.0], [5.0], [9.0]]), 3, labelled=np.array([[0.0]]))
    [3, 2, 1]
    """
    centres = labelled if len(labelled) else points.mean(axis=0, keepdims=True)
    nearest = np.full(len(points), np.inf)
    for centre in centres:
        nearest = np.minimum(nearest, _distance(points, centre))
    chosen: list[int] = []
    squared = np.ones(len(points)) if weights is None else weights**2
    for _ in range(min(n, len(points))):
        nearest[chosen] = -1
        farthest = int(np.where(nearest < 0, -1, squared * nearest).argmax())
        chosen.append(farthest)
        nearest = np.minimum(nearest, _distance(points, points[farthest]))
    return chosen


def _distance(points: NDArray[np.float64], centre: NDArray[np.float64]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = ((points - centre) ** 2).sum(axis=1)
    return found


@dataclass(frozen=True, slots=True)
class KCentre:
    """`n` is how many items are put in order, at least the size of the batch; the others all score 0."""

    n: int
    name: ClassVar[str] = "k-centre"
    is_random: ClassVar[bool] = False

    def scores(self, pool: Pool) -> Scores:
        if pool.embeddings is None:
            raise PoolUnfit("k-centre needs embeddings: embed the pool first.")
        labelled = pool.labelled if pool.labelled is not None else pool.embeddings[:0]
        return scores_of_order(k_centre_order(pool.embeddings, self.n, labelled), len(pool.item_ids))


@dataclass(frozen=True, slots=True)
class UncertainAndDiverse:
    """k-centre on distance times entropy: unsure items, but not ten of the same kind."""

    n: int
    over: OverCodes = OverCodes.MEAN
    name: ClassVar[str] = "uncertain-and-diverse"
    is_random: ClassVar[bool] = False

    def scores(self, pool: Pool) -> Scores:
        if pool.embeddings is None:
            raise PoolUnfit("Diversity needs embeddings: embed the pool first.")
        labelled = pool.labelled if pool.labelled is not None else pool.embeddings[:0]
        order = k_centre_order(pool.embeddings, self.n, labelled, Entropy(self.over).scores(pool))
        return scores_of_order(order, len(pool.item_ids))
