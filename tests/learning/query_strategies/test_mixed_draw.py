"""That stated probabilities are true: by another formula, and by drawing thousands of times."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import hypergeom

from learning.query_strategies.inclusion import inclusion_probabilities
from learning.query_strategies.mixed_draw import DrawImpossible, mixed_draw
from learning.query_strategies.names import Stream
from learning.query_strategies.pool import Pool
from learning.query_strategies.strategy import AtRandom, Strategy
from learning.query_strategies.uncertainty import Entropy

sizes = st.integers(1, 40).flatmap(
    lambda n: st.tuples(st.just(n), st.integers(1, n)).flatmap(
        lambda both: st.tuples(st.just(both[0]), st.just(both[1]), st.integers(0, both[0] - both[1]))
    )
)


def pool_of_doubts(n: int) -> Pool:
    """The later the item, the less sure the model; ids are in no such order."""
    high = np.linspace(1, 0.5, n)
    ids = tuple(f"item-{at * 7 % n:03d}" for at in range(n))
    return Pool(ids, (np.stack([high, 1 - high], axis=1)[None],))


@given(sizes)
def test_probabilities_add_up_to_the_batch_and_fall_with_the_rank(size: tuple[int, int, int]) -> None:
    n, n_random, n_best = size
    found = inclusion_probabilities(n, n_random, n_best)
    assert found.sum() == pytest.approx(n_random + n_best)
    assert (np.diff(found) <= 1e-9).all()
    assert found.min() >= n_random / n - 1e-12 and found.max() <= 1


@given(sizes)
def test_the_formula_is_that_of_scipy(size: tuple[int, int, int]) -> None:
    n, n_random, n_best = size
    assume(n_random < n)
    ranks = np.arange(1, n + 1)
    room = hypergeom.sf(ranks - n_best - 1, n - 1, ranks - 1, n_random)
    expected = n_random / n + (1 - n_random / n) * np.where(ranks <= n_best, 1, room)
    assert inclusion_probabilities(n, n_random, n_best) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("strategy", [Entropy(), AtRandom(1)], ids=lambda strategy: strategy.name)
def test_items_are_drawn_as_often_as_their_probability_says(strategy: Strategy) -> None:
    pool, times = pool_of_doubts(24), 4000
    seen: Counter[str] = Counter()
    at_random: Counter[str] = Counter()
    for seed in range(times):
        draw = mixed_draw(pool, strategy, n=10, random_share=0.4, seed=seed)
        assert len({item.item_id for item in draw.chosen}) == 10
        seen.update(item.item_id for item in draw.chosen)
        at_random.update(item.item_id for item in draw.chosen if item.stream is Stream.RANDOM)
    expected = draw.probabilities
    shares = np.array([seen[item] / times for item in pool.item_ids])
    spread = np.sqrt(expected * (1 - expected) / times)
    # Four standard errors for each of 24 items: one false alarm in 600 runs, and the seeds are fixed.
    assert (np.abs(shares - expected) <= 4 * spread + 1e-12).all()
    assert len(set(np.round(expected, 6))) == (1 if strategy.is_random else 6)
    stream = np.array([at_random[item] / times for item in pool.item_ids])
    share = 10 / 24 if strategy.is_random else 4 / 24
    assert (np.abs(stream - share) <= 4 * np.sqrt(share * (1 - share) / times)).all()


def test_weighted_by_probability_the_chosen_stand_for_the_pool() -> None:
    """Horvitz–Thompson totals of a quantity that goes with the score are right on average; plain means are not."""
    pool, truth = pool_of_doubts(30), np.linspace(0, 1, 30)
    value = dict(zip(pool.item_ids, truth, strict=True))
    weighted, plain = [], []
    for seed in range(2000):
        chosen = mixed_draw(pool, Entropy(), n=10, random_share=0.5, seed=seed).chosen
        weighted.append(sum(value[item.item_id] / item.inclusion_probability for item in chosen) / 30)
        plain.append(np.mean([value[item.item_id] for item in chosen]))
    error = np.std(weighted) / np.sqrt(2000)
    assert abs(np.mean(weighted) - 0.5) < 4 * error
    assert np.mean(plain) > 0.6


def test_the_best_come_in_and_the_share_is_random() -> None:
    draw = mixed_draw(pool_of_doubts(30), Entropy(), n=15, random_share=0.2, seed=5)
    streams = [item.stream for item in draw.chosen]
    assert streams == [Stream.RANDOM] * 3 + [Stream.STRATEGY] * 12
    scores = [item.score for item in draw.chosen[3:]]
    assert scores == sorted(scores, reverse=True) and scores[-1] > 0.8
    assert {item.inclusion_probability for item in draw.chosen[3:14]} == {1.0}


def test_the_order_of_the_pool_does_not_matter_and_a_seed_draws_the_same() -> None:
    pool = pool_of_doubts(30)
    turned = Pool(pool.item_ids[::-1], (pool.probabilities[0][:, ::-1],))
    one, other = (mixed_draw(each, Entropy(), n=9, random_share=0.3, seed=5) for each in (pool, turned))
    assert one.chosen == other.chosen
    assert one.probabilities.tolist() == other.probabilities[::-1].tolist()
    assert mixed_draw(pool, Entropy(), n=9, random_share=0.3, seed=6).chosen != one.chosen


def test_a_smaller_pool_is_drawn_from_afresh() -> None:
    """Else the losers of the first draw would lose again."""
    pool = pool_of_doubts(40)
    first = {item.item_id for item in mixed_draw(pool, AtRandom(1), n=10, random_share=1.0, seed=5).chosen}
    left = tuple(item for item in pool.item_ids if item not in first)
    second = mixed_draw(Pool(left), AtRandom(1), n=10, random_share=1.0, seed=5)
    next_in_line = mixed_draw(pool, AtRandom(1), n=20, random_share=1.0, seed=5).chosen[10:]
    assert {item.item_id for item in second.chosen} != {item.item_id for item in next_in_line}


def test_impossible_draws_are_refused() -> None:
    pool = pool_of_doubts(10)
    for share in (0.0, 1.5):
        with pytest.raises(DrawImpossible, match="random share"):
            mixed_draw(pool, Entropy(), n=5, random_share=share, seed=1)
    for n in (0, 11):
        with pytest.raises(DrawImpossible, match="of a pool of 10"):
            mixed_draw(pool, Entropy(), n=n, random_share=0.5, seed=1)
    with pytest.raises(DrawImpossible, match="twice"):
        mixed_draw(Pool(("a", "a")), AtRandom(1), n=1, random_share=0.5, seed=1)
