"""What a reader has to know about a number: what gaps cost it, and why it has no value where it has none."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.bayesian_bootstrap import expanded_tails
from annotation.agreement.bootstrap import Interval, percentile_interval
from annotation.agreement.rating_patterns import Patterns
from annotation.agreement.registry import Statistic
from annotation.agreement.values import Estimate


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many items have how many ratings; `noun` is what an item is called, such as a sentence."""

    n_items: int
    n_raters: int
    n_paired: int
    n_single: int
    fewest: int
    most: int
    n_categories: int
    noun: str

    def note(self, statistic: Statistic) -> str:
        """What gaps cost the statistic; nothing where there are none."""
        found = []
        if left_out := self.n_items - self.n_paired:
            verb = "has" if left_out == 1 else "have"
            be = "is" if left_out == 1 else "are"
            found.append(
                f"{left_out:,} of {self.n_items:,} {self.noun}s {verb} fewer than two ratings and {be} left out."
            )
            if self.n_single and statistic.counts_single_ratings:
                article = "An" if self.noun.startswith(tuple("aeiou")) else "A"
                found.append(f"{article} {self.noun} with one rating still tells how common each answer is.")
        if self.fewest != self.most:
            weight = statistic.weighing.format(noun=self.noun)
            found.append(f"{self.noun.capitalize()}s have {self.fewest} to {self.most} ratings; {weight}.")
        return " ".join(found)

    def reason(self, statistic: Statistic) -> str:
        """Why a statistic on these ratings has no value."""
        if self.n_raters < 2:
            return "Undefined: fewer than two raters rated anything."
        if not self.n_paired:
            return f"Undefined: no {self.noun} has two ratings."
        if statistic.of_pair and self.n_categories > 1:
            return "Undefined: every two raters gave one and the same answer to all that both rated."
        return ONE_ANSWER


ONE_ANSWER = (
    "Undefined: all ratings that can be compared are the same, so that agreement by chance is complete."
)
ALIKE = (
    "Every resample has the same value: the interval has no width and does not tell how sure the value is."
)
NO_RESAMPLES = "No resamples, so no interval."
TOO_LITTLE = "Too little to resample: no interval."


def nothing_shared(noun: str = "item") -> str:
    return f"Undefined: no {noun} was rated by both."


def coverage_of(patterns: Patterns, noun: str) -> Coverage:
    n, counts = patterns.n_ratings, patterns.counts
    paired = n[(n >= 2) & (counts > 0)]
    return Coverage(
        n_items=int(counts.sum()),
        n_raters=int(((patterns.codes >= 0) & (counts > 0)[:, None]).any(axis=0).sum()),
        n_paired=int(counts[n >= 2].sum()),
        n_single=int(counts[n == 1].sum()),
        fewest=int(paired.min(initial=patterns.codes.shape[1])) if len(paired) else 0,
        most=int(paired.max(initial=0)),
        n_categories=len(patterns.categories),
        noun=noun,
    )


def estimate(
    sampled: NDArray[np.float64],
    *,
    n_items: int,
    n_raters: int,
    n_units: int,
    note: str,
    reason: str,
    lowest: float | None = None,
) -> Estimate:
    """`sampled` has the value and then its resamples; `n_units` is how many posts have something to add to it.

    `reason` is said where there is no value. The interval begins at `lowest` if that is below what the resamples say.
    """
    value, resampled = float(sampled[0]), sampled[1:]
    if np.isnan(value):
        return Estimate(None, None, None, n_items, n_raters, join_notes(reason, note))
    if not len(resampled):
        return Estimate(value, None, None, n_items, n_raters, join_notes(note, NO_RESAMPLES))
    if n_units < 2:
        return Estimate(value, None, None, n_items, n_raters, join_notes(note, TOO_LITTLE))
    interval = percentile_interval(resampled, expanded_tails(n_units))
    note = join_notes(note, left_out(interval, len(resampled)), "" if interval.has_width else ALIKE)
    if interval.low is None or interval.high is None:
        return Estimate(value, None, None, n_items, n_raters, note)
    low = min(interval.low, value, value if lowest is None else lowest)
    return Estimate(value, low, max(interval.high, value), n_items, n_raters, note)


def left_out(interval: Interval, n_resamples: int) -> str:
    """Nothing where every resample has a value."""
    if not interval.undefined:
        return ""
    lost = f"{interval.undefined:,} of {n_resamples:,} resamples have no value"
    return f"{lost} and are left out of the interval."


def join_notes(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)
