"""What every strategy keeps to, and what each prefers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.spatial.distance import cdist, jensenshannon
from scipy.stats import entropy as scipy_entropy

from learning.query_strategies.badge import BadgeLike, residuals
from learning.query_strategies.committee import CommitteeDisagreement, disagreement
from learning.query_strategies.estimation import ExpectedError
from learning.query_strategies.k_centre import KCentre, UncertainAndDiverse, k_centre_order
from learning.query_strategies.pool import OverCodes, Pool, PoolUnfit, pool_of
from learning.query_strategies.rare_themes import RareThemes
from learning.query_strategies.strategy import AtRandom, Strategy
from learning.query_strategies.uncertainty import (
    Entropy,
    LeastConfidence,
    Margin,
    entropy,
    least_confidence,
    margin,
)
from tests.examples import examples
from tests.learning.scoring.gold_fixtures import EPITOME, PRACTICES, predicted, random_study

UNCERTAIN: list[Strategy] = [
    LeastConfidence(),
    Entropy(),
    Margin(),
    LeastConfidence(OverCodes.HIGHEST),
    CommitteeDisagreement(),
    ExpectedError(),
]
SEEDED: list[Strategy] = [AtRandom(3), BadgeLike(5, seed=1)]
STRATEGIES: list[Strategy] = [*SEEDED, KCentre(4), UncertainAndDiverse(4), *UNCERTAIN]


def named(strategy: Strategy) -> str:
    return strategy.name


def random_pool(n: int, seed: int) -> Pool:
    rng = np.random.default_rng(seed)
    probabilities = tuple(rng.dirichlet(np.ones(k), size=(3, n)) for k in (2, 3))
    items = tuple(f"item-{at}" for at in range(n))
    return Pool(items, probabilities, rng.normal(size=(n, 4)), rng.normal(size=(2, 4)))


@pytest.mark.parametrize("strategy", STRATEGIES, ids=named)
def test_every_item_gets_a_score_and_the_same_one_again(strategy: Strategy) -> None:
    pool = random_pool(20, seed=1)
    scores = strategy.scores(pool)
    assert scores.shape == (20,)
    assert np.isfinite(scores).all() and (scores >= 0).all() and (scores <= 1).all()
    assert np.array_equal(scores, strategy.scores(pool))
    assert len(np.unique(scores)) > 3


@pytest.mark.parametrize("strategy", STRATEGIES[len(SEEDED) :], ids=named)
def test_an_items_score_goes_with_it(strategy: Strategy) -> None:
    pool, order = random_pool(20, seed=2), np.random.default_rng(1).permutation(20)
    assert pool.embeddings is not None
    turned = Pool(
        tuple(pool.item_ids[at] for at in order),
        tuple(each[:, order] for each in pool.probabilities),
        pool.embeddings[order],
        pool.labelled,
    )
    assert strategy.scores(turned) == pytest.approx(strategy.scores(pool)[order])


@pytest.mark.parametrize("measure", [least_confidence, entropy, margin])
def test_the_certain_score_0_and_the_clueless_1(measure: type) -> None:
    for k in (2, 3, 5):
        certain, clueless = np.eye(k)[0], np.full(k, 1 / k)
        assert measure(np.stack([certain, clueless])) == pytest.approx([0, 1])


@given(st.integers(0, 1000), st.integers(2, 5), st.integers(2, 4))
def test_entropy_and_disagreement_are_those_of_scipy(seed: int, k: int, n_models: int) -> None:
    drawn = np.random.default_rng(seed).dirichlet(np.ones(k), size=(n_models, 3))
    assert entropy(drawn[0]) == pytest.approx(scipy_entropy(drawn[0], axis=-1) / np.log(k))
    if n_models == 2:
        expected = jensenshannon(drawn[0], drawn[1], axis=-1) ** 2 / np.log(k)
        assert disagreement(drawn) == pytest.approx(expected, abs=1e-9)


def test_codes_are_put_together_by_mean_or_by_the_highest() -> None:
    sure, unsure, silent = [1.0, 0.0], [0.5, 0.5], [np.nan, np.nan]
    pool = Pool(
        ("a", "b", "c"),
        tuple(np.array([each]) for each in ([sure, unsure, silent], [unsure, silent, silent])),
    )
    assert LeastConfidence().scores(pool).tolist() == [0.5, 1, 0]
    assert LeastConfidence(OverCodes.HIGHEST).scores(pool).tolist() == [1, 1, 0]


def test_a_committee_is_after_disagreement_not_after_doubt() -> None:
    doubt, quarrel = [[0.5, 0.5], [0.5, 0.5]], [[1.0, 0.0], [0.0, 1.0]]
    pool = Pool(("doubt", "quarrel"), (np.stack([doubt, quarrel], axis=1),))
    assert CommitteeDisagreement().scores(pool).tolist() == [0, 1]
    assert Entropy().scores(pool).tolist() == [1, 1]


def greedy_by_hand(points: NDArray[np.float64], n: int, labelled: NDArray[np.float64]) -> list[int]:
    chosen: list[int] = []
    for _ in range(n):
        centres = np.concatenate([labelled, points[chosen]])
        away = cdist(points, centres).min(axis=1)
        away[chosen] = -1
        chosen.append(int(away.argmax()))
    return chosen


@settings(max_examples=examples(30), deadline=None)
@given(st.integers(0, 1000), st.integers(1, 15))
def test_k_centre_takes_the_farthest_each_time(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    points, labelled = rng.normal(size=(15, 3)), rng.normal(size=(2, 3))
    assert k_centre_order(points, n, labelled) == greedy_by_hand(points, n, labelled)
    middle = points.mean(axis=0, keepdims=True)
    first = k_centre_order(points, 1, labelled[:0])
    assert first == [int(cdist(points, middle).argmax())]


def test_k_centre_takes_no_item_twice_even_where_all_are_the_same() -> None:
    assert sorted(k_centre_order(np.ones((4, 2)), 9, np.ones((1, 2)))) == [0, 1, 2, 3]


def test_diversity_does_not_take_ten_of_the_same_kind() -> None:
    """Two unsure items that are the same and a third elsewhere: one of the twins, then the third."""
    unsure, surer, sure = [0.5, 0.5], [0.7, 0.3], [1.0, 0.0]
    points = np.array([[4.0, 0.0], [4.0, 0.0], [0.0, 3.0], [9.0, 9.0]])
    pool = Pool(("a", "b", "c", "d"), (np.array([[unsure, unsure, surer, sure]]),), points, np.zeros((1, 2)))
    assert UncertainAndDiverse(2).scores(pool).tolist() == [1, 0, 0.5, 0]
    assert set(LeastConfidence().scores(pool).argsort()[-2:].tolist()) == {0, 1}


def test_badge_begins_with_the_longest_gradient_and_takes_nothing_twice() -> None:
    pool = random_pool(30, seed=3)
    assert pool.embeddings is not None
    whole = np.concatenate(
        [
            (residuals(each.mean(axis=0))[:, :, None] * pool.embeddings[:, None, :]).reshape(30, -1)
            for each in pool.probabilities
        ],
        axis=1,
    )
    scores = BadgeLike(30, seed=1).scores(pool)
    assert scores.argmax() == (whole**2).sum(axis=1).argmax()
    assert len(np.unique(scores)) == 30
    assert not np.array_equal(scores, BadgeLike(30, seed=2).scores(pool))


def test_badge_draws_by_squared_distance_from_the_nearest() -> None:
    pool = random_pool(4, seed=5)
    assert pool.embeddings is not None
    whole = np.concatenate(
        [
            (residuals(each.mean(axis=0))[:, :, None] * pool.embeddings[:, None, :]).reshape(4, -1)
            for each in pool.probabilities
        ],
        axis=1,
    )
    first = int((whole**2).sum(axis=1).argmax())
    away = ((whole - whole[first]) ** 2).sum(axis=1)
    second = [int((BadgeLike(2, seed=seed).scores(pool) == 0.5).argmax()) for seed in range(2000)]
    shares = np.bincount(second, minlength=4) / 2000
    assert shares == pytest.approx(away / away.sum(), abs=0.045)


def test_rare_themes_weigh_more() -> None:
    one, two, three = (code.id for _, code in EPITOME.coded_questions())
    common, rare = [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]], [[1.0, 0.0, 0.0], [0.0, 0.5, 0.5]]
    pool = Pool(("common", "rare"), tuple(np.array([each]) for each in (common, rare, [[np.nan] * 3] * 2)))
    found = RareThemes(EPITOME, {one: 99, two: 4, three: 9}).scores(pool)
    total = 1 / 100 + 1 / 5 + 1 / 10
    assert found == pytest.approx([1 / 100 / total, 1 / 5 / total])


def test_a_pool_comes_from_predictions() -> None:
    _, predictions = random_study(PRACTICES, n=6, seed=1)
    _, others = random_study(PRACTICES, n=6, seed=2)
    pool = pool_of([predictions, others[::-1]], PRACTICES)
    assert pool.item_ids == tuple(f"item-{at:03d}" for at in range(6))
    assert [each.shape for each in pool.probabilities] == [(2, 6, 2)] * 13
    assert pool.probabilities[3][1, 4].tolist() == [p for _, p in others[4].codes[3].probabilities]


def test_codes_without_probabilities_are_left_out() -> None:
    one, two, _ = (code.id for _, code in EPITOME.coded_questions())
    pool = pool_of(
        [[predicted("a", {one: 0, two: 1}, EPITOME, probabilities={one: [0.5, 0.5, 0.0]})]], EPITOME
    )
    assert Margin().scores(pool).tolist() == [1.0]


def test_what_a_strategy_lacks_is_said() -> None:
    bare = Pool(("a", "b"))
    with pytest.raises(PoolUnfit, match="needs probabilities"):
        Entropy().scores(bare)
    with pytest.raises(PoolUnfit, match="needs embeddings"):
        KCentre(1).scores(bare)
    with pytest.raises(PoolUnfit, match="at least two models"):
        CommitteeDisagreement().scores(Pool(("a",), (np.array([[[0.5, 0.5]]]),)))
    with pytest.raises(PoolUnfit, match="needs embeddings and probabilities"):
        BadgeLike(1, seed=1).scores(bare)
    with pytest.raises(PoolUnfit, match="Diversity needs embeddings"):
        UncertainAndDiverse(1).scores(bare)
    with pytest.raises(PoolUnfit, match="another codebook"):
        RareThemes(EPITOME, {}).scores(bare)
    _, predictions = random_study(EPITOME, n=3, seed=1)
    with pytest.raises(PoolUnfit, match="different items"):
        pool_of([predictions, predictions[1:]], EPITOME)
    with pytest.raises(PoolUnfit, match="2 embeddings for 3 items"):
        pool_of([predictions], EPITOME, embeddings=np.ones((2, 4)))
    with pytest.raises(PoolUnfit, match="no model"):
        pool_of([], EPITOME)
