"""How far estimates lean on the model: as ppi-python has it, never beyond gold alone, and not on luck."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ppi_py import ppi_mean_ci, ppi_mean_pointestimate

from analysis.clusters import Clusters
from analysis.labels import Labels
from analysis.power_tuning import Gap, GoldAlone, tune, unseen_errors
from analysis.tuned_estimates import Part, mean_of
from analysis.values import Values
from tests.examples import examples


def drawn_evenly(rng: np.random.Generator, n: int, n_gold: int, noise: float) -> tuple[Part, Values]:
    """Numbers and what a model says of them; gold of the first, which are as good as drawn."""
    truth = rng.normal(1.0, 1.0, n)
    said = truth + rng.normal(0.3, noise, n)
    at = np.arange(n_gold)
    labels = Labels(said, at, truth[at], np.full(n_gold, n / n_gold))
    return Part(labels, np.ones(n), Clusters(np.arange(n), n)), truth


@pytest.mark.parametrize("noise", [0.2, 1.0, 4.0])
def test_a_mean_with_its_weight_is_that_of_ppi_python(noise: float) -> None:
    part, _ = drawn_evenly(np.random.default_rng(1), 60_000, 600, noise)
    found, labels = mean_of(part), part.labels
    said = labels.model[labels.at]
    theirs = {"Y": labels.gold, "Yhat": said, "Yhat_unlabeled": labels.model}
    at_our_weight = ppi_mean_pointestimate(**theirs, lam=found.parts.weight)
    assert found.tuned.value == pytest.approx(float(at_our_weight[0]), abs=1e-12)
    low, high = ppi_mean_ci(**theirs, alpha=0.05, lam=found.parts.weight)
    assert found.tuned.low is not None and found.tuned.high is not None
    width = found.tuned.high - found.tuned.low
    # Gold is a part of all here, and theirs is apart from it: one in a hundred
    assert width == pytest.approx(float(high[0] - low[0]), rel=0.03)
    best_low, best_high = ppi_mean_ci(**theirs, alpha=0.05)
    # Their weight takes the model's spread from all, so that it is a little off the best on this gold
    assert 0.9 < width / float(best_high[0] - best_low[0]) < 1.02


def test_gold_alone_is_the_classical_mean() -> None:
    part, _ = drawn_evenly(np.random.default_rng(2), 5_000, 200, 1.0)
    gold = part.labels.gold
    found = mean_of(part)
    low, high = ppi_mean_ci(gold, gold, part.labels.model, alpha=0.05, lam=0)
    assert found.gold.value == pytest.approx(float(gold.mean()))
    assert found.gold.low is not None and found.gold.high is not None
    assert found.gold.high - found.gold.low == pytest.approx(float(high[0] - low[0]), rel=0.02)


def test_a_model_that_knows_nothing_is_left_alone() -> None:
    rng = np.random.default_rng(3)
    part, _ = drawn_evenly(rng, 4_000, 400, 1.0)
    labels = part.labels
    upside_down = Labels(-labels.model, labels.at, labels.gold, labels.weight)
    found = mean_of(Part(upside_down, part.stands_for, part.clusters))
    assert found.parts.weight == 0
    assert found.tuned == found.gold


def test_a_good_model_is_worth_many_labels() -> None:
    part, _ = drawn_evenly(np.random.default_rng(4), 20_000, 500, 0.1)
    found = mean_of(part)
    assert found.parts.weight > 0.9
    assert found.parts.ratio < 0.1


@settings(max_examples=examples(60))
@given(st.integers(0, 2**32 - 1), st.integers(2, 60), st.floats(0, 3))
def test_its_variance_is_never_above_that_of_gold_alone(seed: int, n_clusters: int, unseen: float) -> None:
    rng = np.random.default_rng(seed)
    moved, gap = rng.standard_t(2, (2, n_clusters))
    leverage = rng.random(n_clusters)
    found = tune(GoldAlone(0.4, moved, leverage), Gap(0.2, gap + rng.normal() * moved), unseen)
    assert 0 <= found.weight <= 1
    assert 0 < found.ratio <= 1
    assert found.value == pytest.approx(0.4 - 0.2 * found.weight)
    if not found.weight:
        assert found.ratio == 1


def test_errors_that_little_gold_cannot_show_hold_the_model_back() -> None:
    """The model is right of all gold; the less gold there is, the less is leaned on it."""
    weights = []
    for n_gold in (20, 100, 1_000):
        truth = (np.arange(10_000) % 10 == 0).astype(np.float64)
        at = np.arange(n_gold)
        labels = Labels(truth, at, truth[at], np.full(n_gold, 10_000 / n_gold))
        weights.append(
            mean_of(Part(labels, np.ones(10_000), Clusters(np.arange(10_000), 10_000))).parts.weight
        )
    assert weights == sorted(weights)
    assert weights[0] < 0.8 and weights[2] > 0.95


def test_a_probability_shows_with_every_label_how_far_off_it_is() -> None:
    assert unseen_errors(np.array([0.0, 1.0])) > unseen_errors(np.array([0.0, 0.9]))
