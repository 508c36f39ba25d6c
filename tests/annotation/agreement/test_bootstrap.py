"""Intervals: the same from the same seed, as wide as a plain bootstrap's, wider where items hang together."""

import numpy as np
import pytest

from annotation.agreement.registry import statistic_names
from annotation.agreement.values import Estimate, MeasurementLevel
from tests.annotation.agreement.measured import measured, noisy_rows
from tests.annotation.agreement.published_tables import ALPHA_WIKIPEDIA


def width(estimate: Estimate) -> float:
    assert estimate.low is not None and estimate.high is not None
    return estimate.high - estimate.low


def test_the_same_seed_gives_the_same_intervals_and_another_gives_others() -> None:
    rows = noisy_rows(np.random.default_rng(0), 60, error=0.2)
    one, again, other = (measured(rows, resamples=200, seed=seed) for seed in (1, 1, 2))
    assert one == again
    assert one["fleiss_kappa"].low != other["fleiss_kappa"].low
    assert one["fleiss_kappa"].value == other["fleiss_kappa"].value


def test_the_value_lies_in_its_interval() -> None:
    found = measured(noisy_rows(np.random.default_rng(0), 80, error=0.2), resamples=500)
    for measure in statistic_names():
        estimate = found[measure]
        assert estimate.low is not None and estimate.value is not None and estimate.high is not None
        assert estimate.low < estimate.value < estimate.high


@pytest.mark.slow
@pytest.mark.parametrize("level", MeasurementLevel)
@pytest.mark.parametrize("clustered", [False, True])
def test_drawing_patterns_is_drawing_items(level: MeasurementLevel, clustered: bool) -> None:
    rng = np.random.default_rng(11)
    rows = [[None if rng.random() < 0.15 else cell for cell in row] for row in noisy_rows(rng, 60, error=0.2)]
    posts = [str(at // 3) if clustered else str(at) for at in range(60)]
    found = measured(rows, level=level, resamples=4_000, clusters=posts)
    members = [
        [row for row, post in zip(rows, posts, strict=True) if post == name] for name in dict.fromkeys(posts)
    ]
    naive: dict[str, list[float]] = {measure: [] for measure in statistic_names()}
    for _ in range(800):
        drawn = [row for at in rng.integers(0, len(members), len(members)) for row in members[at]]
        once = measured(drawn, level=level)
        for measure in statistic_names():
            value = once[measure].value
            assert value is not None
            naive[measure].append(value)
    for measure in statistic_names():
        estimate = found[measure]
        low, high = np.percentile(naive[measure], [2.5, 97.5])
        assert estimate.low == pytest.approx(low, abs=0.04)
        assert estimate.high == pytest.approx(high, abs=0.04)


def test_clusters_of_one_item_are_no_clusters() -> None:
    rows = noisy_rows(np.random.default_rng(0), 50, error=0.2)
    assert measured(rows, resamples=100) == measured(
        rows, resamples=100, clusters=[f"post {at}" for at in range(50)]
    )


def test_items_that_repeat_each_other_add_no_certainty() -> None:
    rows = noisy_rows(np.random.default_rng(4), 60, error=0.2)
    tripled = [row for row in rows for _ in range(3)]
    posts = [str(at // 3) for at in range(180)]
    once = measured(rows, resamples=4_000)["fleiss_kappa"]
    naive = measured(tripled, resamples=4_000)["fleiss_kappa"]
    clustered = measured(tripled, resamples=4_000, clusters=posts)["fleiss_kappa"]
    assert width(clustered) == pytest.approx(width(once), rel=0.1)
    assert width(clustered) > 1.5 * width(naive)


@pytest.mark.slow
def test_intervals_cover_the_true_value_about_as_often_as_they_say() -> None:
    rng = np.random.default_rng(8)
    truth = measured(noisy_rows(rng, 200_000, error=0.15))["fleiss_kappa"].value
    assert truth is not None
    covered = 0
    for seed in range(200):
        estimate = measured(noisy_rows(rng, 100, error=0.15), resamples=300, seed=seed)["fleiss_kappa"]
        assert estimate.low is not None and estimate.high is not None
        covered += estimate.low <= truth <= estimate.high
    assert 0.88 <= covered / 200 <= 0.99


def test_resamples_without_a_value_are_counted_and_left_out() -> None:
    rows = [[0, 0]] * 9 + [[1, 1]]
    estimate = measured(rows, resamples=1_000)["fleiss_kappa"]
    assert (estimate.value, estimate.low, estimate.high) == (1, 1, 1)
    n_undefined = int(estimate.note.split(" of 1,000 resamples have no value")[0])
    # Neither the one item nor only the one item is drawn: (9/10)^10 is 0.35.
    assert 290 <= n_undefined <= 410


def test_one_item_or_one_post_has_no_interval() -> None:
    for clusters in (None, ["post", "post", "post"]):
        rows: list[list[float | None]] = [[0, 0], [1, 1], [0, 1]] if clusters else [[0, 1]]
        estimate = measured(rows, resamples=100, clusters=clusters)["raw_agreement"]
        assert estimate.value is not None
        assert (estimate.low, estimate.high) == (None, None)
        assert "Too little to resample" in estimate.note


def test_gaps_have_an_interval_too() -> None:
    estimate = measured(ALPHA_WIKIPEDIA, resamples=1_000)["krippendorff_alpha"]
    assert estimate.low is not None and estimate.high is not None
    assert 0.2 < estimate.low < 0.5 and estimate.high == 1
