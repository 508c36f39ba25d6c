"""A mean with its interval, from measurements that were repeated on parts of the same data.

    mean ± t · s · √(1/J + h)

s is the standard deviation of J repetitions and t Student's with J - 1 degrees of freedom. Repetitions that train and
test on parts of the same items are not independent of each other; h = n_test / n_train makes up for it (Nadeau &
Bengio 2003, Machine Learning 52). Where each repetition has data or a beginning of its own, h is 0.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """`low` and `high` are None where one repetition alone says nothing about the spread. `confidence` is how often
    such intervals hold the true value."""

    value: float
    low: float | None
    high: float | None
    confidence: float = CONFIDENCE

    @property
    def is_above_zero(self) -> bool:
        return self.low is not None and self.low > 0

    @property
    def is_below_zero(self) -> bool:
        return self.high is not None and self.high < 0


def mean_interval(values: Numbers, *, shared: float = 0.0, confidence: float = CONFIDENCE) -> Interval:
    """`shared` is h.

    >>> found = mean_interval(np.array([1.0, 2.0, 3.0, 4.0]))
    >>> [round(each, 3) for each in (found.value, found.low, found.high)]
    [2.5, 0.446, 4.554]
    """
    mean = float(np.mean(values))
    if len(values) < 2:
        return Interval(mean, None, None, confidence)
    from scipy.special import stdtrit  # takes long to load, and few who name this module compute an interval

    t = float(stdtrit(len(values) - 1, (1 + confidence) / 2))
    half = t * float(np.std(values, ddof=1)) * float(np.sqrt(1 / len(values) + shared))
    return Interval(mean, mean - half, mean + half, confidence)
