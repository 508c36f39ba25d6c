"""Our numbers beside those of scipy, statsmodels and numpy on random data."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from analysis.chi_square import chi_square
from analysis.clustered_errors import GroupedItems, clustered_error
from analysis.clusters import Clusters, Groups
from analysis.correlation import correlation, standardise
from analysis.design_based_supervised_learning import CorrectedRegression
from analysis.label_difference import label_difference
from analysis.labels import Labels, naive
from analysis.multiple_testing import adjust_p_values
from analysis.over_time import slope
from analysis.regression_fit import fit
from analysis.values import Basis, Effect, Estimate, Finding, Measure, Significance, Values, Way
from analysis.wald import wald
from analysis.welch import moments, welch

SEEDS = range(5)


def clustered_data(seed: int, n: int = 400) -> tuple[Clusters, Values, Values]:
    rng = np.random.default_rng(seed)
    places = np.sort(rng.integers(0, n // 4, n))
    places = np.unique(places, return_inverse=True)[1]
    shared = rng.normal(size=places.max() + 1)[places]
    label = (shared + rng.normal(size=n) > 0.3).astype(np.float64)
    outcome = 2 + label + shared + rng.normal(size=n)
    return Clusters(places, int(places.max()) + 1), label, outcome


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n_groups", [2, 5])
def test_chi_square_is_that_of_scipy(seed: int, n_groups: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(20, 500, n_groups)
    found = rng.binomial(sizes, rng.uniform(0.05, 0.5, n_groups)).astype(float)
    ours = chi_square(found, sizes)
    theirs = stats.chi2_contingency(np.stack([found, sizes - found]))
    assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-12)
    assert ours.p == pytest.approx(theirs.pvalue, rel=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_welch_is_that_of_scipy_with_its_interval(seed: int) -> None:
    rng = np.random.default_rng(seed)
    one, other = rng.normal(1, 1, 30), rng.normal(0, 3, 80)
    estimate, test = welch(moments(one), moments(other))
    theirs = stats.ttest_ind(one, other, equal_var=False)
    assert test.statistic == pytest.approx(theirs.statistic, rel=1e-12)
    assert test.p == pytest.approx(theirs.pvalue, rel=1e-9)
    bounds = theirs.confidence_interval()
    assert (estimate.low, estimate.high) == pytest.approx((bounds.low, bounds.high), rel=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_p_values_are_adjusted_as_by_scipy_and_as_by_the_formula(seed: int) -> None:
    p = np.random.default_rng(seed).uniform(0, 0.2, 13)
    tested = [finding_with(each) for each in p.tolist()]
    adjusted = adjust_p_values([*tested[:5], finding_with(None), *tested[5:]])
    assert adjusted[5].test.p_holm is None and adjusted[0].test.n_tests == 13
    found = [each.test for each in adjusted if each.test.p is not None]
    assert [test.p_bh for test in found] == pytest.approx(stats.false_discovery_control(p), rel=1e-12)
    by_holm = np.minimum(1, np.maximum.accumulate(np.sort(p) * np.arange(13, 0, -1)))
    assert sorted(test.p_holm or 0 for test in found) == pytest.approx(by_holm, rel=1e-12)


def finding_with(p: float | None) -> Finding:
    test = Significance("t", None, (), p)
    nothing = Estimate(None, None, None)
    return Finding(
        "c", "", Measure.SHARE, Way.NAIVE, Basis(9, 9), nothing, test, Effect("share", None), "It is so"
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_means_by_group_have_the_clustered_errors_of_statsmodels(seed: int) -> None:
    """Dummies for all groups make a regression of means; its small-sample factor is taken off."""
    clusters, label, _ = clustered_data(seed)
    places = clusters.places % 3
    found = GroupedItems(Groups(("a", "b", "c"), places), clusters).means(label)
    dummies = np.eye(3)[places]
    theirs = sm.OLS(label, dummies).fit(cov_type="cluster", cov_kwds={"groups": clusters.places})
    factor = (len(label) - 1) / (len(label) - 3)
    assert found.means == pytest.approx(theirs.params, rel=1e-10)
    assert found.covariance == pytest.approx(theirs.cov_params() / factor, rel=1e-8, abs=1e-12)
    contrast = np.array([[-1, 1, 0], [-1, 0, 1]])
    statistic = theirs.wald_test(contrast, use_f=False, scalar=True).statistic * factor
    assert wald(found, clusters.n - 1).statistic == pytest.approx(float(statistic), rel=1e-8)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_difference_has_the_clustered_error_of_statsmodels(seed: int) -> None:
    clusters, label, outcome = clustered_data(seed)
    found = label_difference(label, outcome)
    x = np.stack([label, np.ones(len(label))], axis=1)
    theirs = sm.OLS(outcome, x).fit(cov_type="cluster", cov_kwds={"groups": clusters.places})
    assert found is not None
    assert found.value == pytest.approx(theirs.params[0], rel=1e-9)
    factor = (len(label) - 1) / (len(label) - 2)
    assert clustered_error(found.moved, clusters) == pytest.approx(theirs.bse[0] / np.sqrt(factor), rel=1e-8)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_slope_has_the_clustered_error_of_statsmodels(seed: int) -> None:
    clusters, _, outcome = clustered_data(seed)
    time = np.random.default_rng(seed).uniform(0, 4, len(outcome))
    found = slope(outcome, time, np.ones(len(time)))
    x = np.stack([time, np.ones(len(time))], axis=1)
    theirs = sm.OLS(outcome, x).fit(cov_type="cluster", cov_kwds={"groups": clusters.places})
    assert found is not None
    assert found.value == pytest.approx(theirs.params[0], rel=1e-8)
    factor = (len(time) - 2) / (len(time) - 1)
    assert clustered_error(found.moved, clusters) == pytest.approx(theirs.bse[0] * np.sqrt(factor), rel=1e-8)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_correlation_is_that_of_numpy_and_its_error_that_of_resampled_posts(seed: int) -> None:
    clusters, label, outcome = clustered_data(seed)
    other = (outcome > 2.5).astype(np.float64)
    ones = np.ones(len(label))
    found = correlation(standardise(label, ones), standardise(other, ones), ones)
    assert found is not None
    assert found.value == pytest.approx(np.corrcoef(label, other)[0, 1], rel=1e-10)
    rng = np.random.default_rng(seed)
    members = [np.flatnonzero(clusters.places == at) for at in range(clusters.n)]
    drawn = []
    for _ in range(300):
        rows = np.concatenate([members[at] for at in rng.integers(0, clusters.n, clusters.n)])
        drawn.append(np.corrcoef(label[rows], other[rows])[0, 1])
    assert clustered_error(found.moved, clusters) == pytest.approx(np.std(drawn), rel=0.15)


@pytest.mark.parametrize("is_logistic", [False, True])
def test_where_gold_always_agrees_with_the_model_a_corrected_regression_is_that_of_statsmodels(
    is_logistic: bool,
) -> None:
    """At λ = 1, and on gold alone at λ = 0."""
    clusters, label, outcome = clustered_data(1)
    if is_logistic:
        outcome = (outcome > 2.5).astype(np.float64)
    rng = np.random.default_rng(2)
    controls = np.stack([np.ones(len(label)), rng.normal(size=len(label))], axis=1)
    at = np.flatnonzero(rng.random(len(label)) < 0.3)
    labels = Labels(label, at, label[at], np.full(len(at), 1 / 0.3))
    ours = CorrectedRegression(labels, controls, outcome, clusters, is_logistic=is_logistic)
    for weight, rows in ((1.0, slice(None)), (0.0, at)):
        x, y = np.hstack([label[:, None], controls])[rows], outcome[rows]
        theirs = (sm.Logit(y, x) if is_logistic else sm.OLS(y, x)).fit()
        assert ours.solve(weight) == pytest.approx(theirs.params, rel=1e-6)


def test_with_gold_on_everything_a_regression_from_gold_has_the_clustered_error_of_statsmodels() -> None:
    clusters, gold, outcome = clustered_data(3)
    rng = np.random.default_rng(4)
    model = np.where(rng.random(len(gold)) < 0.3, 1 - gold, gold)
    ones = np.ones(len(gold))
    labels = Labels(model, np.arange(len(gold)), gold, ones)
    found = fit(labels, ones[:, None], outcome, clusters, Way.GOLD, is_logistic=False)
    theirs = fit(naive(gold), ones[:, None], outcome, clusters, Way.NAIVE, is_logistic=False)
    assert found is not None and theirs is not None
    assert found.value == pytest.approx(theirs.value, rel=1e-8)
    # Ours widens by leverage, theirs by C/(C - 1)
    assert found.error == pytest.approx(theirs.error, rel=0.02)
    corrected = fit(labels, ones[:, None], outcome, clusters, Way.CORRECTED, is_logistic=False)
    assert corrected is not None and corrected.error <= found.error


@pytest.mark.parametrize("is_logistic", [False, True])
def test_a_regression_from_weighted_gold_is_that_of_statsmodels(is_logistic: bool) -> None:
    clusters, label, outcome = clustered_data(5)
    outcome = (outcome > 2.5).astype(np.float64)
    rng = np.random.default_rng(6)
    at = np.flatnonzero(rng.random(len(label)) < 0.5)
    weight = rng.uniform(1, 4, len(at))
    labels = Labels(rng.random(len(label)), at, label[at], weight)
    found = fit(labels, np.ones((len(label), 1)), outcome, clusters, Way.GOLD, is_logistic=is_logistic)
    x = sm.add_constant(label[at], prepend=False)
    if is_logistic:
        theirs = sm.GLM(outcome[at], x, family=sm.families.Binomial(), freq_weights=weight).fit()
    else:
        theirs = sm.WLS(outcome[at], x, weights=weight).fit()
    assert found is not None and found.value == pytest.approx(theirs.params[0], rel=1e-6)
