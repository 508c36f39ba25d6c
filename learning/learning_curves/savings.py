"""What chosen labels have gained over random ones in a study so far.

From the trials' scores: the difference at the largest number of labels that both arms have, and how many labels of the
mix give what that many random ones give. The second is read where the mix is neither better nor worse than that score:
its interval are all numbers of labels for which that cannot be ruled out.

Who reads the meter every week would see a gain by chance sooner or later. So all readings on about the same labels
share one level (`learning.alpha_spending`): the k-th has intervals of confidence 1 - a_k, and claims nothing that they
allow to be chance.
"""

from enum import StrEnum

import msgspec
import numpy as np

from learning.alpha_spending import level_of_look
from learning.learning_curves.intervals import Interval, Numbers, mean_interval
from learning.learning_curves.labels_needed import labels_needed
from learning.learning_curves.trials import TEST_SHARE, Sizes

# Test and teaching items in each trial, for the intervals.
SHARED = TEST_SHARE / (1 - TEST_SHARE)


class SavingsVerdict(StrEnum):
    GAINED = "gained"
    LOST = "lost"
    NOTHING_SHOWN = "nothing-shown"


class MeanPoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    n_labels: int
    score: Interval


class LabelsNeeded(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many of the mix give what `random` random labels give; None where it lies outside of what was tried."""

    random: int
    mixed: float | None
    low: float | None
    high: float | None

    @property
    def saved(self) -> float | None:
        return None if self.mixed is None else self.random - self.mixed


class Savings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`gain` is the mixed arm's score less the random arm's at `at_labels`."""

    at_labels: int
    gain: Interval
    labels: LabelsNeeded
    verdict: SavingsVerdict
    random: tuple[MeanPoint, ...]
    mixed: tuple[MeanPoint, ...]


def savings(sizes: Sizes, random: Numbers, mixed: Numbers, *, look: int = 1) -> Savings:
    """Scores have a row for each trial and a column for each size; `look` is which reading this is."""
    at, confidence = sizes.mixed.index(sizes.shared), 1 - level_of_look(look)
    gain = mean_interval(mixed[:, at] - random[:, -1], shared=SHARED, confidence=confidence)
    return Savings(
        at_labels=sizes.shared,
        gain=gain,
        labels=_labels_needed(sizes, random[:, -1], mixed, confidence),
        verdict=_verdict(gain),
        random=_points(sizes.random, random),
        mixed=_points(sizes.mixed, mixed),
    )


def _verdict(gain: Interval) -> SavingsVerdict:
    if gain.is_above_zero:
        return SavingsVerdict.GAINED
    return SavingsVerdict.LOST if gain.is_below_zero else SavingsVerdict.NOTHING_SHOWN


def _points(sizes: tuple[int, ...], scores: Numbers) -> tuple[MeanPoint, ...]:
    return tuple(MeanPoint(n, mean_interval(scores[:, at], shared=SHARED)) for at, n in enumerate(sizes))


def _labels_needed(sizes: Sizes, target: Numbers, mixed: Numbers, confidence: float) -> LabelsNeeded:
    """Low is where the mix, at its best, catches up with random; high where it does so at its worst."""
    apart = [
        mean_interval(mixed[:, at] - target, shared=SHARED, confidence=confidence)
        for at in range(len(sizes.mixed))
    ]
    value = [each.value for each in apart]
    best = [each.value if each.high is None else each.high for each in apart]
    worst = [each.value if each.low is None else each.low for each in apart]
    return LabelsNeeded(sizes.shared, *(_find_crossing(sizes.mixed, each) for each in (value, best, worst)))


def _find_crossing(sizes: tuple[int, ...], apart: list[float]) -> float | None:
    """None also where even the smallest size is enough: how few it could be is then not known."""
    found = labels_needed(sizes, apart, 0.0)
    return None if found is None or (found == sizes[0] and np.min(apart) > 0) else found
