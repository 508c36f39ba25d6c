"""What an analysis finds, in the one form that pages, files and tables use."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
Places = NDArray[np.int64]

# Relative to the numbers themselves, what is smaller is rounding.
ROUNDING = 1e-9


def varies(values: Values) -> bool:
    """Whether there is more between the lowest and the highest than rounding: a spread of equal numbers may not be 0.

    >>> instant = np.full(150, 50.0006844626967)
    >>> bool(instant.std() > 0), varies(instant), varies(np.array([50.0006, 50.0007]))
    (True, False, True)
    """
    return bool(np.ptp(values) > ROUNDING * np.abs(values).max())


def odds_ratio(log_odds: float) -> float:
    """Infinite where it is too large for a number, as the end of an interval may be.

    >>> round(odds_ratio(0.5), 3), odds_ratio(1000.0)
    (1.649, inf)
    """
    try:
        return math.exp(log_odds)
    except OverflowError:
        return math.inf


class Way(StrEnum):
    """Model labels as they are, gold without the model, or both put together."""

    NAIVE = "naive"
    GOLD = "gold"
    CORRECTED = "corrected"


# Those that the model has a part in.
MODEL_WAYS = (Way.NAIVE, Way.CORRECTED)


class Measure(StrEnum):
    """What an estimate is of."""

    SHARE = "share"
    FROM_MEAN = "difference_from_mean"
    ASSOCIATION = "association"
    DIFFERENCE = "difference"
    COEFFICIENT = "coefficient"
    LOG_ODDS = "log_odds"
    CORRELATION = "correlation"
    SHARE_OF_FOUND = "share_of_found"
    LEVEL = "level"
    PER_YEAR = "change_per_year"
    MEAN = "mean"
    LOWER_QUARTILE = "lower_quartile"
    MEDIAN = "median"
    UPPER_QUARTILE = "upper_quartile"


@dataclass(frozen=True, slots=True)
class Basis:
    """What a finding rests on. `n_clusters` counts what is independent; `n_gold` is None for naive estimates.

    `n_effective` is how many gold labels with equal weights would say as much (Kish): where gold was chosen, some stand
    for many and most for few. `n_rare` is how much of that is to be expected with the rarer answer.
    """

    n: int
    n_clusters: int
    n_gold: int | None = None
    n_effective: float | None = None
    n_rare: float | None = None


@dataclass(frozen=True, slots=True)
class Estimate:
    """With its 95% interval; None where it is not defined, and the finding's note says why."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Significance:
    """`p_holm` and `p_bh` are adjusted over `n_tests` tests, those of one kind in a table; None until that is done."""

    name: str
    statistic: float | None
    df: tuple[float, ...]
    p: float | None
    p_holm: float | None = None
    p_bh: float | None = None
    n_tests: int = 1


# Of an estimate that is set against nothing.
NO_TEST = Significance("", None, (), None)


@dataclass(frozen=True, slots=True)
class Effect:
    name: str
    value: float | None


@dataclass(frozen=True, slots=True)
class Finding:
    """`code` is what it is about, `other` the second code of a pair, `where` the group or community (empty: all).

    `says` is the plain sentence but for its evidence, which `sentence` adds; `in_percent` is how its numbers are read.
    `weight` is λ, how far a corrected estimate leans on the model: 0 is gold alone; None of naive estimates.
    """

    code: str
    where: str
    measure: Measure
    way: Way
    basis: Basis
    estimate: Estimate
    test: Significance
    effect: Effect
    says: str
    note: str = ""
    other: str = ""
    in_percent: bool = False
    weight: float | None = None

    @property
    def sentence(self) -> str:
        """For people who read no tables.

        >>> test = Significance("t", 2.5, (99.0,), 0.014, p_holm=0.07, n_tests=5)
        >>> found = Finding("c", "", Measure.SHARE, Way.NAIVE, Basis(100, 100), Estimate(0.4, 0.3, 0.5), test,
        ...                 Effect("share", 0.4), "“Worry” is in 40.0%", in_percent=True)
        >>> found.sentence
        '“Worry” is in 40.0% (95% interval 30.0% to 50.0%; n = 100; p = 0.014; with 5 tests, p = 0.070 by Holm).'
        """
        return f"{self.says} ({'; '.join(self._evidence())})."

    def _evidence(self) -> Sequence[str]:
        facts = [*self._interval(), f"n = {self.basis.n:,}"]
        if self.basis.n_gold is not None:
            facts.append(f"{_GOLD_USE[self.way]} {gold_in_words(self.basis.n_gold, self.basis.n_effective)}")
        if self.way is Way.CORRECTED and self.weight is not None:
            facts.append(f"λ = {self.weight:.2f}")
        if self.test.p is not None:
            facts.append(p_in_words(self.test.p))
        if self.test.p_holm is not None and self.test.n_tests > 1:
            facts.append(f"with {self.test.n_tests} tests, {p_in_words(self.test.p_holm)} by Holm")
        return facts

    def _interval(self) -> Sequence[str]:
        low, high = self.estimate.low, self.estimate.high
        if low is None or high is None:
            return ()
        if self.measure is Measure.LOG_ODDS:
            low, high = odds_ratio(low), odds_ratio(high)
        bounds = (f"{100 * bound:.1f}%" if self.in_percent else f"{bound:.3f}" for bound in (low, high))
        return (f"95% interval {' to '.join(bounds)}",)


_GOLD_USE = {Way.CORRECTED: "corrected with", Way.GOLD: "from"}


def gold_in_words(n_gold: int, n_effective: float | None) -> str:
    """
    >>> gold_in_words(400, 400.0), gold_in_words(1200, 61.3)
    ('400 gold labels', '1,200 gold labels that say as much as 61 drawn evenly')
    """
    words = f"{n_gold:,} gold label{'' if n_gold == 1 else 's'}"
    if n_effective is None or round(n_effective) >= n_gold:
        return words
    return f"{words} that say as much as {n_effective:,.0f} drawn evenly"


def p_in_words(p: float) -> str:
    """
    >>> p_in_words(0.0321), p_in_words(0.00001), p_in_words(1.0)
    ('p = 0.032', 'p < 0.001', 'p = 1.000')
    """
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
