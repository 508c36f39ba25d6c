"""Verdicts on simulated curves of which it is known what is true."""

import numpy as np
import pytest

from learning.learning_curves.intervals import Numbers, mean_interval
from learning.learning_curves.savings import SHARED, Savings, SavingsVerdict, savings
from learning.learning_curves.stopping import Advice, CurveTooShort, StoppingAdvice, stopping_advice
from learning.learning_curves.trials import Sizes

SIZES = Sizes((25, 50, 100, 200), (25, 50, 100, 200, 250, 320, 400))


def trials(
    seed: int, *, ahead: float = 1.0, noise: float = 0.02, paired: float = 0.03
) -> tuple[Numbers, Numbers]:
    """Scores that rise by 0.05 with each doubling; the mix is as far as `ahead` times as many random labels.

    What is hard about a trial's test items is shared by both strategies.
    """
    rng = np.random.default_rng(seed)
    hard = rng.normal(0, paired, (30, 1))
    random, mixed = (
        0.4 + 0.05 * np.log2(np.array(sizes) * factor) + hard + rng.normal(0, noise, (30, len(sizes)))
        for sizes, factor in ((SIZES.random, 1.0), (SIZES.mixed, ahead))
    )
    return random, mixed


def measured(seed: int, **asked: float) -> Savings:
    return savings(SIZES, *trials(seed, **asked))


def test_a_mix_that_learns_twice_as_fast_needs_half_the_labels() -> None:
    found = measured(1, ahead=2.0, noise=0.015)
    assert found.verdict is SavingsVerdict.GAINED and found.at_labels == 200
    assert found.gain.value == pytest.approx(0.05, abs=0.01)
    assert found.labels.random == 200
    assert found.labels.mixed is not None and 80 < found.labels.mixed < 125
    assert found.labels.low is not None and found.labels.high is not None
    assert found.labels.low < found.labels.mixed < found.labels.high < 200
    assert found.labels.saved == 200 - found.labels.mixed


def test_a_mix_that_learns_more_slowly_is_said_to_have_lost() -> None:
    found = measured(2, ahead=0.6, noise=0.012)
    assert found.verdict is SavingsVerdict.LOST
    assert found.labels.mixed is not None and found.labels.mixed > 250
    assert found.labels.saved is not None and found.labels.saved < 0


def test_where_there_is_nothing_nothing_is_claimed() -> None:
    verdicts = [measured(seed).verdict for seed in range(200)]
    assert verdicts.count(SavingsVerdict.NOTHING_SHOWN) >= 190
    found = measured(3)
    assert found.labels.low is not None and found.labels.low < 200
    assert found.labels.high is None or found.labels.high > 200


def test_who_reads_every_night_is_told_of_a_gain_by_chance_in_few_studies() -> None:
    """Readings of a study resemble each other: most of what makes them differ from the truth stays."""
    rng, n_studies, n_readings = np.random.default_rng(1), 100, 30
    claims = {"alone": 0, "together": 0}
    for _ in range(n_studies):
        stays = rng.normal(0, 0.005, (20, 1)) + rng.normal(0, 0.0035)
        scores = [stays + rng.normal(0, 0.005, (20, 1)) for _ in range(n_readings)]
        apart = [savings(Sizes((50,), (50,)), 0 * each, each, look=at + 1) for at, each in enumerate(scores)]
        alone = [mean_interval(each[:, 0], shared=SHARED) for each in scores]
        claims["alone"] += any(each.is_above_zero or each.is_below_zero for each in alone)
        claims["together"] += any(each.verdict is not SavingsVerdict.NOTHING_SHOWN for each in apart)
    assert claims["alone"] > 12 and claims["together"] <= 5, claims


def test_later_readings_have_wider_intervals() -> None:
    first, fifth = (savings(SIZES, *trials(3), look=look) for look in (1, 5))
    assert first.gain.confidence == pytest.approx(1 - 0.05 / 6)
    assert fifth.gain.confidence > first.gain.confidence
    assert first.gain.low is not None and fifth.gain.low is not None and fifth.gain.low < first.gain.low
    late, early = (advice(1, slope=0.04, noise=0.01, look=look).gain for look in (20, 1))
    assert late.low is not None and early.low is not None and late.low < early.low


def test_what_lies_outside_of_what_was_tried_is_not_guessed() -> None:
    assert measured(4, ahead=50.0).labels.mixed is None
    assert measured(4, ahead=0.05).labels.mixed is None


def advice(seed: int, *, slope: float, noise: float, look: int = 1) -> StoppingAdvice:
    rng = np.random.default_rng(seed)
    scores = 0.6 + slope * np.log2(np.array(SIZES.mixed)) + rng.normal(0, noise, (30, len(SIZES.mixed)))
    return stopping_advice(SIZES.mixed, scores, n_labels=530, n_next=200, look=look)


def test_a_flat_curve_says_stop_a_rising_one_go_on_and_noise_nothing() -> None:
    flat = [advice(seed, slope=0.0, noise=0.005).advice for seed in range(50)]
    rising = [advice(seed, slope=0.04, noise=0.01).advice for seed in range(50)]
    noisy = [advice(seed, slope=0.02, noise=0.15).advice for seed in range(50)]
    assert flat.count(Advice.STOP) == 50
    assert rising.count(Advice.GO_ON) == 50
    assert noisy.count(Advice.CANNOT_SAY) >= 45 and Advice.STOP not in noisy


def test_the_gain_is_that_of_the_next_labels() -> None:
    found = advice(1, slope=0.04, noise=0.001)
    assert found.gain.value == pytest.approx(0.04 * np.log2(730 / 530), abs=0.001)
    assert (found.n_labels, found.n_next) == (530, 200)


def test_a_curve_that_flattens_is_judged_by_its_end() -> None:
    """It rose for long and rises no more: what is promised is less than along the whole of it."""
    sizes = (25, 50, 100, 200, 250, 320, 400)
    scores = np.tile([0.3, 0.4, 0.6, 0.6, 0.6, 0.6, 0.6], (20, 1))
    found = stopping_advice(sizes, scores, n_labels=530, n_next=200)
    assert found.advice is Advice.STOP and found.gain.value == pytest.approx(0)


def test_two_sizes_have_no_slope() -> None:
    with pytest.raises(CurveTooShort, match="3 or more"):
        stopping_advice((10, 20), np.ones((3, 2)), n_labels=20, n_next=10)
