"""Means and slopes from gold and a model, against statsmodels and by simulation."""

import numpy as np
import pytest
import statsmodels.api as sm
from statsmodels.stats.proportion import proportion_confint

from analysis.clusters import Clusters
from analysis.labels import Labels
from analysis.share_interval import Worth, share_interval, worth_of
from analysis.tuned_estimates import Part, mean_of, slope_of
from analysis.values import Way
from benchmarks.power_tuning import Cell, Tally, invent


def weighted_part(seed: int, n: int = 3_000, n_gold: int = 300) -> Part:
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < 0.3).astype(np.float64)
    said = np.clip(0.2 + 0.5 * truth + rng.normal(0, 0.1, n), 0, 1)
    chance = rng.uniform(0.5, 1.5, n) * n_gold / n
    at = np.flatnonzero(rng.random(n) < chance)
    labels = Labels(said, at, truth[at], 1 / chance[at])
    return Part(labels, rng.uniform(0.5, 2, n), Clusters(np.arange(n) // 3, n // 3))


def test_slopes_are_those_of_weighted_regressions() -> None:
    part = weighted_part(1)
    rng = np.random.default_rng(2)
    outcome = rng.normal(size=len(part.labels)) + part.labels.model
    found = slope_of(part, outcome)
    assert found is not None
    labels, weight = part.labels, found[Way.CORRECTED].weight or 0.0
    of_gold = sm.WLS(outcome[labels.at], sm.add_constant(labels.gold), weights=part.weight).fit()
    of_all = sm.WLS(outcome, sm.add_constant(labels.model), weights=part.stands_for).fit()
    on_gold = sm.WLS(outcome[labels.at], sm.add_constant(labels.model[labels.at]), weights=part.weight).fit()
    assert found[Way.GOLD].value == pytest.approx(of_gold.params[1])
    assert found[Way.NAIVE].value == pytest.approx(of_all.params[1])
    tuned = of_gold.params[1] - weight * (on_gold.params[1] - of_all.params[1])
    assert weight > 0 and found[Way.CORRECTED].value == pytest.approx(tuned)


def test_the_error_of_a_slope_from_gold_is_clustered() -> None:
    part = weighted_part(3)
    outcome = np.random.default_rng(4).normal(size=len(part.labels))
    found, labels = slope_of(part, outcome), part.labels
    assert found is not None
    model = sm.WLS(outcome[labels.at], sm.add_constant(labels.gold), weights=part.weight)
    clustered = model.fit(
        cov_type="cluster", cov_kwds={"groups": part.clusters.places[labels.at], "use_correction": False}
    )
    # Theirs leaves leverage alone
    assert found[Way.GOLD].error == pytest.approx(clustered.bse[1], rel=0.02)


def test_a_share_from_even_labels_is_wilsons() -> None:
    found = share_interval(0.2, 0.2 * 0.8 / 400, Worth(400.0, 400.0, 10**6))
    low, high = proportion_confint(80, 400, method="wilson")
    assert found.low == pytest.approx(low, abs=2e-3)
    assert found.high == pytest.approx(high, abs=2e-3)


def test_a_share_that_no_label_has_has_an_interval() -> None:
    n = 2_000
    labels = Labels(np.zeros(n), np.arange(100), np.zeros(100), np.full(100, 20.0))
    found = mean_of(Part(labels, np.ones(n), Clusters(np.arange(n), n)))
    assert found.gold.low == 0
    assert found.gold.high == pytest.approx(proportion_confint(0, 100, method="wilson")[1], abs=0.02)


def test_labels_of_few_clusters_are_worth_less() -> None:
    apart, together = worth_of(np.ones(100), np.arange(100)), worth_of(np.ones(100), np.arange(100) // 20)
    assert apart.effective == together.effective == pytest.approx(100)
    assert together.independent < apart.independent == pytest.approx(100)


def test_weights_count_units_as_often_as_they_say() -> None:
    """A unit of weight 2 is two units."""
    part = weighted_part(5)
    twice = np.where(np.arange(len(part.labels)) % 2, 2.0, 1.0)
    found = mean_of(Part(part.labels, twice, part.clusters))
    labels = part.labels
    assert found.naive.value == pytest.approx(np.average(labels.model, weights=twice))
    assert found.gold.value == pytest.approx(
        np.average(labels.gold, weights=labels.weight * twice[labels.at])
    )


@pytest.mark.parametrize(("n_gold", "surrogate"), [(500, "decision"), (500, "probability")])
def test_chosen_gold_of_a_rare_code_covers_where_it_did_not(n_gold: int, surrogate: str) -> None:
    """A short run of `benchmarks/power_tuning.py`."""
    cell = Cell(0.03, "active", n_gold, "good", surrogate)
    tally, rng = Tally(cell), np.random.default_rng(1)
    for _ in range(80):
        tally.add(invent(rng, cell))
    assert tally.coverage("share", "plain") < 0.9
    assert tally.coverage("share", "corrected") > 0.93
    assert tally.coverage("share", "gold_only") > 0.9
    assert tally.width("share", "corrected") < 1
