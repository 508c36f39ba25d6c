"""How much each label counts when those of several batches, some chosen and some not, are to stand for the whole pool.

Batches are drawn one after another, each from what the others left. What was taken before batch m is known, and the
batch stands for the rest by its probabilities, so that each batch alone gives an unbiased total of the pool,

    T_m = Σ_{taken before m} y_i + Σ_{i in m} y_i / π_i

and so does the mean over all M of them. An item of batch m is in the second sum of T_m and in the first of all later
ones: with M - m batches after it, its weight is

    w_i = ( 1/π_i + (M - m) ) / M

(for single items: Farquhar, Gal & Rainforth 2021, ICLR). Items of a batch that have no label yet are made up for by
those of the same stream that have one, as if chance decided who is finished first; each annotator's share is in random
order, so it does. With the sample's own probability p_i the weight is w_i / p_i and stands for the corpus.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotation.choosing.mixed_draw import Stream


@dataclass(frozen=True, slots=True)
class StagedItem:
    """`probability` is that of coming into its batch, given what was left; `sampled` that of coming into the sample."""

    item_id: str
    stream: Stream
    probability: float
    sampled: float
    is_labelled: bool


def gold_weights(stages: Sequence[Sequence[StagedItem]]) -> Mapping[str, float]:
    """Of the labelled items, batch by batch as they were drawn.

    Two of four items at random, then both that were left:

    >>> first = [StagedItem(name, Stream.RANDOM, 0.5, 1.0, True) for name in "ab"]
    >>> second = [StagedItem(name, Stream.RANDOM, 1.0, 1.0, True) for name in "cd"]
    >>> gold_weights([first, second])
    {'a': 1.5, 'b': 1.5, 'c': 0.5, 'd': 0.5}
    """
    found = {}
    for at, stage in enumerate(stages):
        n_drawn = Counter(item.stream for item in stage)
        n_labelled = Counter(item.stream for item in stage if item.is_labelled)
        n_later = len(stages) - 1 - at
        for item in stage:
            if item.is_labelled:
                stands_for = n_drawn[item.stream] / n_labelled[item.stream]
                weight = (1 / item.probability + n_later) / len(stages)
                found[item.item_id] = weight * stands_for / item.sampled
    return found


def effective_number(weights: Sequence[float]) -> float:
    """How many equally weighted items would say as much: (Σw)² / Σw² (Kish 1965, Survey Sampling).

    >>> effective_number([1.0, 1.0, 1.0]), round(effective_number([1.0, 1.0, 10.0]), 2)
    (3.0, 1.41)
    """
    squares = sum(weight**2 for weight in weights)
    return sum(weights) ** 2 / squares if squares else 0.0
