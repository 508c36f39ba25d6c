"""Whether more labels are still worth their while, from how the learning curve rose lately.

Scores rise about evenly with the logarithm of the number of labels, and in the end more slowly, so that going on along
the line promises too much rather than too little:

    gain of the next N labels ≤ b · log2( (n + N) / n )

b is the slope over the sizes from a quarter of the labels on, by least squares in each trial.
"""

from collections.abc import Sequence
from enum import StrEnum

import msgspec
import numpy as np

from learning.alpha_spending import level_of_look
from learning.learning_curves.intervals import Interval, Numbers, mean_interval
from learning.learning_curves.savings import SHARED

FEWEST_SIZES = 3
WORTHWHILE = 0.01


class Advice(StrEnum):
    STOP = "stop"
    GO_ON = "go-on"
    CANNOT_SAY = "cannot-say"


class StoppingAdvice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`gain` is what `n_next` labels more are expected to add to `n_labels`; less than `worthwhile` is not worth it."""

    n_labels: int
    n_next: int
    gain: Interval
    worthwhile: float
    advice: Advice


class CurveTooShort(ValueError):
    def __init__(self, n_sizes: int) -> None:
        super().__init__(f"A curve of {n_sizes} sizes has no slope: measure at {FEWEST_SIZES} or more.")


def stopping_advice(
    sizes: Sequence[int],
    scores: Numbers,
    *,
    n_labels: int,
    n_next: int,
    worthwhile: float = WORTHWHILE,
    look: int = 1,
) -> StoppingAdvice:
    """Scores have a row for each trial and a column for each size. `n_labels` are there now, all of them, and `look` is
    which reading this is: all share one level, as in `savings`."""
    if len(sizes) < FEWEST_SIZES:
        raise CurveTooShort(len(sizes))
    late = [at for at, n in enumerate(sizes) if n >= sizes[-1] / 4]
    late = late if len(late) >= FEWEST_SIZES else list(range(len(sizes)))[-FEWEST_SIZES:]
    slopes = _slopes(np.log2([sizes[at] for at in late]), scores[:, late])
    expected = slopes * np.log2((n_labels + n_next) / n_labels)
    gain = mean_interval(expected, shared=SHARED, confidence=1 - level_of_look(look))
    return StoppingAdvice(n_labels, n_next, gain, worthwhile, _advice(gain, worthwhile))


def _slopes(doublings: Numbers, scores: Numbers) -> Numbers:
    """
    >>> _slopes(np.array([1.0, 2.0, 3.0]), np.array([[0.5, 0.6, 0.7]])).round(6).tolist()
    [0.1]
    """
    away = doublings - doublings.mean()
    found: Numbers = scores @ away / (away @ away)
    return found


def _advice(gain: Interval, worthwhile: float) -> Advice:
    if gain.low is None or gain.high is None:
        return Advice.CANNOT_SAY
    if gain.high < worthwhile:
        return Advice.STOP
    return Advice.GO_ON if gain.low > 0 and gain.value >= worthwhile else Advice.CANNOT_SAY
