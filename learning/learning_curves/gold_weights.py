"""How much each label counts when those of several batches, some chosen and some not, are to stand for the whole pool.

Batches are drawn one after another, each from what the others left. What was taken before batch m is known, and the
batch stands for the rest by its probabilities, so that each batch alone gives an unbiased total of the pool,

    T_m = Σ_{taken before m} y_i + Σ_{i in m} y_i / π_i

and so does every weighted mean of them, Σ λ_m T_m with λ_m the share of the labels that are of batch m. An item of
batch m is in the second sum of T_m and in the first of all later ones: its weight is

    w_i = λ_m / π_i + Σ_{l > m} λ_l

(for single items: Farquhar, Gal & Rainforth 2021, ICLR). Batches that chance alone dealt one after another are one.
With the sample's own probability p_i the weight is w_i / p_i and stands for the corpus.

Items of a batch that have no label are made up for by those of the same stream that have one, as if chance decided who
is finished first; each annotator's share is in random order, so it does. A batch dealt by chance of which nothing is
labelled leaves what came later a random part of its pool, 1 - π of it, which is made up for too. After a chosen batch
of which nothing is labelled, nobody knows what it took away: later batches count for nothing.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from learning.query_strategies.names import Stream


@dataclass(frozen=True, slots=True)
class StagedItem:
    """`probability` is that of coming into its batch, given what was left: None if something else than this pool
    brought it, so that it was taken and stands for itself alone. `sampled` is that of coming into the sample; `share`
    is how much of its unit the item is, as where a post has several items and is counted once."""

    item_id: str
    stream: Stream
    probability: float | None
    sampled: float
    is_labelled: bool
    share: float = 1.0


Stage = Sequence[StagedItem]


def gold_weights(stages: Sequence[Stage]) -> Mapping[str, float]:
    """Of the labelled items, batch by batch as they were drawn; that of a unit is the sum over its items.

    One of three items for certain because a strategy wanted it, then one of two by chance:

    >>> first = [StagedItem("a", Stream.STRATEGY, 1.0, 1.0, True)]
    >>> second = [StagedItem("b", Stream.RANDOM, 0.5, 1.0, True)]
    >>> gold_weights([first, second])
    {'a': 1.0, 'b': 1.0}

    Two of four at random, then both that were left, are four of four:

    >>> first = [StagedItem(name, Stream.RANDOM, 0.5, 1.0, True) for name in "ab"]
    >>> second = [StagedItem(name, Stream.RANDOM, 1.0, 1.0, True) for name in "cd"]
    >>> gold_weights([first, second])
    {'a': 1.0, 'b': 1.0, 'c': 1.0, 'd': 1.0}
    """
    known = list(_labelled_stages(_runs(stages)))
    labelled = [_labelled_share(stage) for stage, _ in known]
    total = sum(labelled)
    found = {}
    for at, (stage, missed) in enumerate(known):
        own, later = labelled[at], sum(labelled[at + 1 :])
        for item, stands_for in _made_up(stage):
            through = own / item.probability if item.probability else 0.0
            if through + later:
                weight = (through + later) / total
                found[item.item_id] = weight * stands_for * item.share / (missed * item.sampled)
    return found


def _runs(stages: Iterable[Stage]) -> Iterator[Stage]:
    """With neighbours that chance dealt put together: who is in any of them had 1 - Π(1 - π)."""
    for is_random, group in groupby((stage for stage in stages if stage), key=_is_random):
        if not is_random:
            yield from group
            continue
        together = list(group)
        missed = math.prod(1 - (stage[0].probability or 0.0) for stage in together)
        yield [replace(item, probability=1 - missed) for stage in together for item in stage]


def _is_random(stage: Stage) -> bool:
    first = stage[0].probability
    return first is not None and all(
        item.stream is Stream.RANDOM and item.probability == first for item in stage
    )


def _labelled_stages(stages: Iterable[Stage]) -> Iterator[tuple[Stage, float]]:
    """Those with labels, each with the share of its pool that chance had left over for it."""
    left = 1.0
    for stage in stages:
        if any(item.is_labelled for item in stage):
            yield stage, left
        elif _is_random(stage) and stage[0].probability != 1:
            left *= 1 - (stage[0].probability or 0.0)
        else:
            return


def _labelled_share(stage: Stage) -> float:
    return sum(item.share for item in stage if item.is_labelled and item.probability is not None)


def _made_up(stage: Stage) -> Iterator[tuple[StagedItem, float]]:
    """The labelled items with how many of their stream each is: of the batch, where a stream has no label at all."""
    n_drawn = dict.fromkeys((item.stream for item in stage), 0.0)
    n_labelled = dict(n_drawn)
    for item in stage:
        n_drawn[item.stream] += item.share
        n_labelled[item.stream] += item.share if item.is_labelled else 0.0
    is_whole = all(n_labelled.values())
    of_batch = sum(n_drawn.values()) / sum(n_labelled.values())
    for item in stage:
        if item.is_labelled:
            yield item, n_drawn[item.stream] / n_labelled[item.stream] if is_whole else of_batch


def effective_number(weights: Sequence[float]) -> float:
    """How many equally weighted items would say as much: (Σw)² / Σw² (Kish 1965, Survey Sampling).

    >>> effective_number([1.0, 1.0, 1.0]), round(effective_number([1.0, 1.0, 10.0]), 2)
    (3.0, 1.41)
    """
    squares = sum(weight**2 for weight in weights)
    return sum(weights) ** 2 / squares if squares else 0.0
