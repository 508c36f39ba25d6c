"""What more gold makes of intervals: the plan beside what is found once it is there."""

import numpy as np
import pytest

from analysis.clusters import Clusters
from analysis.gold_plan import AssumedModel, AssumedShare, WidthParts, plan_from
from analysis.labels import Labels
from analysis.prevalence import prevalence
from analysis.tuned_estimates import Part, mean_of
from analysis.values import Measure, Way
from tests.analysis.simulated_corpus import simulated


def mean_width(share: float, n_gold: int, recall: float, false_positives: float) -> float:
    """Of corrected intervals of invented corpora."""
    rng, n, widths = np.random.default_rng(n_gold), 20_000, []
    for _ in range(30):
        truth = (rng.random(n) < share).astype(np.float64)
        said = (rng.random(n) < np.where(truth == 1, recall, false_positives)).astype(np.float64)
        at = np.sort(rng.permutation(n)[:n_gold])
        labels = Labels(said, at, truth[at], np.full(n_gold, n / n_gold))
        found = mean_of(Part(labels, np.ones(n), Clusters(np.arange(n), n))).tuned
        widths.append((found.high or 0) - (found.low or 0))
    return float(np.mean(widths))


@pytest.mark.parametrize(("share", "n_gold"), [(0.1, 600), (0.3, 400)])
def test_what_is_assumed_comes_out(share: float, n_gold: int) -> None:
    planned = AssumedShare(share, 20_000, AssumedModel(0.85, 0.05)).width(n_gold)
    assert planned == pytest.approx(mean_width(share, n_gold, 0.85, 0.05), rel=0.12)


def test_a_finished_estimate_foretells_its_width_with_more_gold() -> None:
    now, later = mean_width(0.2, 400, 0.8, 0.1), mean_width(0.2, 1_600, 0.8, 0.1)
    assert WidthParts(now, 400).with_more(1_200) == pytest.approx(later, rel=0.1)


def test_labels_for_a_width_make_that_width() -> None:
    parts = WidthParts(0.1, 300, floor=0.03)
    needed = parts.labels_for(0.05)
    assert needed and parts.with_more(needed) <= 0.05 < parts.with_more(needed - 2)
    assert parts.labels_for(0.03) is None and parts.labels_for(0.2) == 0
    theme = AssumedShare(0.1, 50_000, AssumedModel(0.8, 0.05))
    enough = theme.labels_for(0.05)
    assert enough and theme.width(enough) <= 0.05 < theme.width(enough - 1)


def test_a_model_that_knows_nothing_saves_nothing_and_unequal_gold_costs() -> None:
    alone = AssumedShare(0.1, 50_000)
    assert AssumedShare(0.1, 50_000, AssumedModel(0.4, 0.4)).width(500) == pytest.approx(alone.width(500))
    assert AssumedShare(0.1, 50_000, design_effect=2.0).width(1_000) == pytest.approx(alone.width(500))


def test_every_corrected_estimate_with_an_interval_is_planned() -> None:
    posts = simulated(n_posts=1_500, n_gold=600, seed=2).posts
    findings = [
        found
        for way in (Way.NAIVE, Way.CORRECTED)
        for found in prevalence(posts, by="platform", way=way).findings
    ]
    planned = plan_from(findings)
    assert {each.measure for each in planned} >= {Measure.SHARE.value, Measure.FROM_MEAN.value}
    assert {each.code for each in planned} == set(posts.codes)
    for each in planned:
        assert 0 <= each.parts.floor < each.parts.width
        widths = [width for _, width in each.curve]
        assert widths == sorted(widths, reverse=True) and widths[0] == pytest.approx(each.parts.width)
    assert not plan_from([found for found in findings if found.way is Way.NAIVE])
