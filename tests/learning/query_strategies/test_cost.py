"""What items cost, and that what is learned for a minute is what counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import theilslopes

from learning.query_strategies.cost import LEAST_MINUTES, CostModel, PerCost, cost_model
from learning.query_strategies.mixed_draw import mixed_draw
from learning.query_strategies.named import StrategyRequest, make_strategy
from learning.query_strategies.names import StrategyName, Stream
from learning.query_strategies.pool import Pool, PoolUnfit
from learning.query_strategies.strategy import AtRandom
from learning.query_strategies.uncertainty import LeastConfidence
from tests.learning.query_strategies.test_strategies import random_pool
from tests.learning.scoring.gold_fixtures import EPITOME


def measured(n: int, seed: int) -> tuple[list[int], list[float]]:
    rng = np.random.default_rng(seed)
    words = rng.integers(5, 400, n)
    minutes = 0.4 + 0.006 * words + rng.exponential(0.2, n)
    return words.tolist(), minutes.tolist()


@given(st.integers(0, 500), st.integers(20, 60))
def test_slope_and_height_are_those_of_theil_and_sen(seed: int, n: int) -> None:
    words, minutes = measured(n, seed)
    found = cost_model(words, minutes)
    slope = theilslopes(minutes, words).slope
    assert found.minutes_per_word == pytest.approx(max(0, slope))
    assert found.minutes == pytest.approx(max(0, np.median(np.array(minutes) - slope * np.array(words))))
    assert found.n_measured == n


def test_a_coffee_in_the_middle_of_an_item_changes_little() -> None:
    words, minutes = measured(200, seed=1)
    before = cost_model(words, minutes).costs([100])
    minutes[3], minutes[40] = 600.0, 45.0
    assert cost_model(words, minutes).costs([100]) == pytest.approx(before, rel=0.05)


def test_few_measured_items_say_nothing_and_many_are_thinned() -> None:
    assert cost_model([10] * 19, [9.0] * 19) == CostModel() and CostModel().n_measured == 0
    words, minutes = measured(5000, seed=2)
    assert cost_model(words, minutes).minutes_per_word == pytest.approx(0.006, abs=0.0005)


def test_every_item_costs_something_and_longer_ones_never_less() -> None:
    same_length = cost_model([50] * 30, [0.0] * 30)
    assert same_length.costs([0, 1000]).tolist() == [LEAST_MINUTES, LEAST_MINUTES]
    falling = cost_model(list(range(30)), [3 - n / 20 for n in range(30)])
    assert falling.minutes_per_word == 0


def test_of_two_items_as_unsure_the_cheaper_one_is_better() -> None:
    pool = Pool(("dear", "cheap", "sure"), (np.array([[[0.5, 0.5], [0.6, 0.4], [1.0, 0.0]]]),))
    assert LeastConfidence().scores(pool).argmax() == 0
    per_minute = PerCost(LeastConfidence(), np.array([4.0, 1.0, 1.0]))
    assert per_minute.scores(pool).tolist() == [0.25, 0.8, 0.0]
    assert per_minute.name == "least-confidence per minute"


def test_chance_does_not_look_at_the_price() -> None:
    pool = random_pool(20, seed=1)
    assert (
        PerCost(AtRandom(1), np.array([1.0, 2.0] * 10)).scores(pool).tolist()
        == AtRandom(1).scores(pool).tolist()
    )


def test_a_batch_of_cheap_items_still_has_its_random_stream() -> None:
    pool = random_pool(60, seed=4)
    costs = np.where(np.arange(60) < 30, 1.0, 50.0)
    strategy = make_strategy(
        StrategyRequest(name=StrategyName.ENTROPY, n=15, seed=1, codebook=EPITOME, costs=costs)
    )
    draws = [mixed_draw(pool, strategy, n=15, random_share=0.4, seed=seed).chosen for seed in range(40)]
    cheap = set(pool.item_ids[:30])
    chosen = {Stream.RANDOM: 0, Stream.STRATEGY: 0}
    for draw in draws:
        for item in draw:
            chosen[item.stream] += item.item_id in cheap
    assert chosen[Stream.STRATEGY] == 40 * 9
    assert 80 < chosen[Stream.RANDOM] < 160


@pytest.mark.parametrize("costs", [[1.0], [1.0, 0.0]])
def test_costs_that_fit_no_pool_are_refused(costs: list[float]) -> None:
    with pytest.raises(PoolUnfit, match="one for each item"):
        PerCost(LeastConfidence(), np.array(costs)).scores(Pool(("a", "b"), (np.full((1, 2, 2), 0.5),)))


@pytest.mark.parametrize("name", StrategyName)
def test_every_name_is_a_strategy_that_scores_and_is_weighed_by_cost(name: StrategyName) -> None:
    rng = np.random.default_rng(1)
    probabilities = tuple(rng.dirichlet(np.ones(3), size=(2, 20)) for _ in range(3))
    pool = Pool(tuple(f"item-{at}" for at in range(20)), probabilities, rng.normal(size=(20, 4)))
    wanted = StrategyRequest(name=name, n=4, seed=1, codebook=EPITOME)
    plain = make_strategy(wanted)
    assert plain.name == name
    dear = StrategyRequest(name=name, n=4, seed=1, codebook=EPITOME, costs=np.array([1.0, 9.0] * 10))
    scores = make_strategy(dear).scores(pool)
    assert (scores >= 0).all() and (scores <= 1).all()
    assert np.array_equal(scores, plain.scores(pool)) == plain.is_random
    assert plain.is_random == (not name.needs_model)
