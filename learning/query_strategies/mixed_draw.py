"""Fills a batch from a strategy and a permanent random stream, so that what is learned of the pool stays honest."""

import hashlib
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpus.sampling.encoding import netstrings
from corpus.sampling.randomness import RandomNumbers, draw_key
from learning.query_strategies.estimation import proportional_probabilities, systematic_sample
from learning.query_strategies.inclusion import inclusion_probabilities
from learning.query_strategies.names import Aim, Stream
from learning.query_strategies.pool import Pool, Scores
from learning.query_strategies.strategy import Strategy


class DrawImpossible(ValueError):
    """A batch that cannot be filled as asked; the message says what to change."""


@dataclass(frozen=True, slots=True)
class ChosenItem:
    item_id: str
    stream: Stream
    inclusion_probability: float
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class MixedDraw:
    """`chosen` has the random stream first, then the strategy's best; `probabilities` are those of all of the
    pool."""

    strategy: str
    chosen: tuple[ChosenItem, ...]
    probabilities: NDArray[np.float64]
    seed: int


def mixed_draw(
    pool: Pool,
    strategy: Strategy,
    *,
    n: int,
    random_share: float,
    seed: int,
    aim: Aim | None = Aim.LEARN,
) -> MixedDraw:
    """`n` items. To learn from, the share, rounded up, is random, and the strategy's best come after them; the formula
    of the probabilities is in `inclusion`. To estimate with, all are drawn by probabilities that go with the scores
    (`estimation`).

    They hold given the scores, as long as the seed was chosen without looking at who wins. The order of the pool
    does not matter; of items with the same score the one with the smaller id comes first.
    """
    n_random = _n_random(pool, strategy, n, random_share)
    scores = strategy.scores(pool)
    if aim is Aim.ESTIMATE:
        return _proportional_draw(pool, strategy, scores, n, random_share, seed)
    order = sorted(range(len(scores)), key=lambda at: (-scores[at], pool.item_ids[at]))
    drawn = _random_stream(pool, n_random, seed)
    taken = set(drawn)
    best = [at for at in order if at not in taken][: n - n_random]
    probabilities = np.empty(len(order))
    if strategy.is_random:
        probabilities[:] = n / len(order)
    else:
        probabilities[order] = inclusion_probabilities(len(order), n_random, n - n_random)
    chosen = tuple(
        ChosenItem(pool.item_ids[at], stream, float(probabilities[at]), float(scores[at]))
        for stream, places in ((Stream.RANDOM, drawn), (Stream.STRATEGY, best))
        for at in places
    )
    return MixedDraw(strategy.name, chosen, probabilities, seed)


def _proportional_draw(
    pool: Pool, strategy: Strategy, scores: Scores, n: int, random_share: float, seed: int
) -> MixedDraw:
    by_id = np.argsort(np.array(pool.item_ids))
    probabilities = np.empty(len(scores))
    # In the order of ids, so that sums end in the same digits whatever the order of the pool
    probabilities[by_id] = proportional_probabilities(scores[by_id], n, random_share)
    rng = np.random.default_rng([seed, int(_contents(pool), 16)])
    drawn = by_id[list(systematic_sample(probabilities[by_id], rng))].tolist()
    chosen = tuple(
        ChosenItem(pool.item_ids[at], Stream.STRATEGY, float(probabilities[at]), float(scores[at]))
        for at in sorted(drawn, key=lambda at: (-scores[at], pool.item_ids[at]))
    )
    return MixedDraw(strategy.name, chosen, probabilities, seed)


def _n_random(pool: Pool, strategy: Strategy, n: int, random_share: float) -> int:
    if not 0 < random_share <= 1:
        raise DrawImpossible(
            f"The random share is {random_share}; it must be above 0, so that every item has a chance, and at most 1."
        )
    if not 0 < n <= len(pool.item_ids):
        raise DrawImpossible(
            f"{n} items of a pool of {len(pool.item_ids)}: ask for at least 1 and at most all."
        )
    # Without the slack, 0.2 of 15 would be rounded up from 3.0000000000000004.
    return n if strategy.is_random else max(1, math.ceil(random_share * n - 1e-9))


def _random_stream(pool: Pool, n: int, seed: int) -> list[int]:
    """The pool is part of the key: next time, when it has shrunk, the same seed draws afresh."""
    places = {item: at for at, item in enumerate(pool.item_ids)}
    numbers = RandomNumbers(draw_key(seed, frozenset()), "active", _contents(pool))
    return [places[item] for (item,) in numbers.smallest(n, ((item,) for item in places), "random stream")]


def _contents(pool: Pool) -> str:
    if len(set(pool.item_ids)) < len(pool.item_ids):
        raise DrawImpossible("An item is in the pool twice: give each once.")
    return hashlib.blake2b(netstrings(*sorted(pool.item_ids)), digest_size=16).hexdigest()
