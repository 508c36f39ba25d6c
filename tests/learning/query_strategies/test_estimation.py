"""Items are drawn with just the probabilities that are stated, and estimates from them are right."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learning.query_strategies.estimation import (
    ExpectedError,
    expected_variance,
    proportional_probabilities,
    systematic_sample,
)
from learning.query_strategies.mixed_draw import mixed_draw
from learning.query_strategies.names import Aim, StrategyName, Stream
from learning.query_strategies.pool import Pool


def pool_of(chances: list[float]) -> Pool:
    high = np.array(chances)
    ids = tuple(f"item-{at * 7 % len(high):03d}" for at in range(len(high)))
    return Pool(ids, (np.stack([1 - high, high], axis=1)[None],))


@given(
    st.lists(st.floats(0, 1), min_size=2, max_size=40),
    st.floats(0.05, 1),
    st.integers(1, 40),
)
def test_probabilities_add_up_to_the_batch_and_none_is_below_chance(
    scores: list[float], random_share: float, n: int
) -> None:
    n = min(n, len(scores))
    found = proportional_probabilities(np.array(scores, dtype=np.float64), n, random_share)
    assert found.sum() == pytest.approx(n)
    assert found.max() <= 1 + 1e-12 and found.min() >= min(1, random_share * n / len(scores)) - 1e-12


def test_items_are_drawn_as_often_as_their_probability_says() -> None:
    scores, times = np.linspace(0, 1, 30, dtype=np.float64), 4_000
    probabilities = proportional_probabilities(scores, 8, 0.3)
    counts = np.zeros(30)
    for seed in range(times):
        drawn = systematic_sample(probabilities, np.random.default_rng(seed))
        assert len(set(drawn)) == 8
        counts[list(drawn)] += 1
    assert np.abs(counts / times - probabilities).max() < 0.035


def test_totals_of_what_is_drawn_are_right_whatever_the_model_says() -> None:
    rng = np.random.default_rng(1)
    chances = rng.random(60)
    truth, pool = rng.random(60), pool_of(chances.tolist())
    totals = []
    for seed in range(2_000):
        draw = mixed_draw(pool, ExpectedError(), n=15, random_share=0.3, seed=seed, aim=Aim.ESTIMATE)
        place = {item: at for at, item in enumerate(pool.item_ids)}
        totals.append(sum(truth[place[each.item_id]] / each.inclusion_probability for each in draw.chosen))
    assert np.mean(totals) == pytest.approx(truth.sum(), rel=0.02)


def test_the_draw_is_of_one_stream_and_does_not_depend_on_the_order_of_the_pool() -> None:
    pool = pool_of(np.linspace(0.01, 0.5, 40).tolist())
    turned = Pool(pool.item_ids[::-1], tuple(each[:, ::-1] for each in pool.probabilities))
    one, other = (
        mixed_draw(each, ExpectedError(), n=9, random_share=0.3, seed=5, aim=Aim.ESTIMATE)
        for each in (pool, turned)
    )
    assert one.chosen == other.chosen and len(one.chosen) == 9
    assert {item.stream for item in one.chosen} == {Stream.STRATEGY}
    assert one.probabilities.tolist() == pytest.approx(other.probabilities[::-1].tolist())


def test_the_expected_error_is_0_where_the_model_is_sure_and_1_where_all_answers_are_alike() -> None:
    found = expected_variance(np.array([[1, 0, 0], [1 / 3, 1 / 3, 1 / 3], [0.5, 0.5, 0]]))
    assert found.tolist() == pytest.approx([0, 1, 0.75])


def test_every_strategy_has_an_aim_but_chance() -> None:
    aims = {name: name.aim for name in StrategyName}
    assert aims.pop(StrategyName.RANDOM) is None
    assert [name for name, aim in aims.items() if aim is Aim.ESTIMATE] == [StrategyName.EXPECTED_ERROR]
    assert all(aims.values())
