"""That weighted labels of batches that were drawn one after another stand for the whole pool."""

import numpy as np
import pytest

from learning.learning_curves.gold_weights import StagedItem, gold_weights
from learning.query_strategies.mixed_draw import mixed_draw
from learning.query_strategies.names import Stream
from learning.query_strategies.pool import Pool
from learning.query_strategies.uncertainty import Entropy

N = 40
TRUTH = {f"item-{at:02d}": at / (N - 1) for at in range(N)}


def pool_of(items: list[str]) -> Pool:
    """What is high is what the model is unsure about, so that strategies go for it."""
    high = np.array([1 - TRUTH[item] / 2 for item in items])
    return Pool(tuple(items), (np.stack([high, 1 - high], axis=1)[None],))


def drawn_in_three_batches(seed: int, *, answered: float = 1.0) -> list[list[StagedItem]]:
    rng = np.random.default_rng(seed)
    left, stages = list(TRUTH), []
    for at in range(3):
        chosen = mixed_draw(
            pool_of(left), Entropy(), n=8, random_share=0.5, seed=int(rng.integers(1_000_000) + at)
        ).chosen
        stage = []
        for stream in Stream:
            own = [item for item in chosen if item.stream is stream]
            n_done = max(1, round(answered * len(own)))
            done = set(rng.permutation(len(own))[:n_done].tolist())
            stage += [
                StagedItem(item.item_id, stream, item.inclusion_probability, 1.0, place in done)
                for place, item in enumerate(own)
            ]
        stages.append(stage)
        left = [item for item in left if item not in {drawn.item_id for drawn in stage}]
    return stages


@pytest.mark.parametrize("answered", [1.0, 0.5])
def test_totals_are_right_on_average_though_strategies_chose(answered: float) -> None:
    totals, plain = [], []
    for seed in range(1500):
        stages = drawn_in_three_batches(seed, answered=answered)
        weights = gold_weights(stages)
        totals.append(sum(weight * TRUTH[item] for item, weight in weights.items()))
        plain.append(np.mean([TRUTH[item] for item in weights]) * N)
    error = np.std(totals) / np.sqrt(len(totals))
    assert abs(np.mean(totals) - sum(TRUTH.values())) < 4 * error
    assert np.mean(plain) > 1.15 * sum(TRUTH.values())


def test_the_samples_own_probability_comes_on_top() -> None:
    stage = [StagedItem("a", Stream.RANDOM, 0.5, 0.1, True), StagedItem("b", Stream.RANDOM, 0.5, 0.2, True)]
    assert gold_weights([stage]) == pytest.approx({"a": 20, "b": 10})


def test_who_has_no_label_is_made_up_for_by_the_same_stream() -> None:
    stage = [
        StagedItem("a", Stream.RANDOM, 0.5, 1.0, True),
        StagedItem("b", Stream.RANDOM, 0.5, 1.0, False),
        StagedItem("c", Stream.STRATEGY, 1.0, 1.0, True),
    ]
    assert gold_weights([stage]) == {"a": 4.0, "c": 1.0}
