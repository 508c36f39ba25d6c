"""The correlation of two labels on the same items, with an interval that knows what belongs together.

From means m of the labels, their squares and their product,

    r = (m_ab - m_a m_b) / √(v_a v_b),        v_a = m_aa - m_a²

which on labels of 0 and 1 is φ. Item i moves it by

    ψ_i = (z_ab - r/2 (z_aa + z_bb)),        z_ab = ((ab)_i - m_ab - m_b (a_i - m_a) - m_a (b_i - m_b)) / √(v_a v_b)

from which comes the clustered error se. The interval is tanh(atanh r ± t · se / (1 - r²)). With pseudo-outcomes of
each label, square and product the same formula corrects it. Where one label follows exactly from the other, r is 1 or
-1, and no interval can be made of that. (Pearson 1900, Philosophical Transactions A 195, 1–47, for
φ; Fisher 1921, Metron 1, 3–32; van der Vaart 1998, Asymptotic Statistics, ch. 3, for the error.)
"""

import math
from dataclasses import dataclass

import numpy as np

from analysis.clustered_errors import clustered_error
from analysis.clusters import Clusters
from analysis.labels import Labels, product
from analysis.normal import LEVEL, t_test
from analysis.values import ROUNDING, Estimate, Significance, Values

NAME = "z of Fisher, clustered"
# Of two labels of which one follows exactly from the other.
SURE = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One of two labels, ready to be set beside many others."""

    labels: Labels
    values: Values
    mean: float
    variance: float
    # How each item moves the variance.
    spread: Values

    @property
    def varies(self) -> bool:
        return self.variance > ROUNDING * abs(self.mean)


def side_of(labels: Labels) -> Side:
    values = labels.pseudo_outcomes()
    squares = labels.made_into(np.square).pseudo_outcomes()
    mean, square = float(values.mean()), float(squares.mean())
    return Side(labels, values, mean, square - mean**2, squares - square - 2 * mean * (values - mean))


def correlation(one: Side, other: Side, clusters: Clusters) -> tuple[float, float] | None:
    """r and its standard error, which is 0 where r is 1 or -1.

    None where a label does not vary, or corrected ones give no r between -1 and 1.

    >>> a, b = np.array([1.0, 1, 0, 0]), np.array([1.0, 0, 0, 0])
    >>> from analysis.labels import naive
    >>> r, error = correlation(side_of(naive(a)), side_of(naive(b)), Clusters(np.arange(4), 4))
    >>> round(r, 4), round(error, 4)
    (0.5774, 0.3333)
    """
    if not (one.varies and other.varies):
        return None
    scale = math.sqrt(one.variance * other.variance)
    both = product(one.labels, other.labels).pseudo_outcomes()
    joint = float(both.mean())
    r = (joint - one.mean * other.mean) / scale
    if abs(abs(r) - SURE) < ROUNDING:
        return math.copysign(SURE, r), 0.0
    if not abs(r) < SURE:
        return None
    moved = both - joint - other.mean * (one.values - one.mean) - one.mean * (other.values - other.mean)
    moved /= scale
    moved -= r / 2 * (one.spread / one.variance + other.spread / other.variance)
    return r, clustered_error(moved / len(moved), clusters)


def fisher(r: float, error: float, df: float) -> tuple[Estimate, Significance]:
    """The interval and the test that there is no correlation, on Fisher's scale.

    >>> estimate, test = fisher(0.3, 0.05, 400)
    >>> [round(each or 0, 3) for each in (estimate.low, estimate.high, test.statistic)]
    [0.199, 0.395, 5.633]
    """
    from scipy import stats  # takes long to load

    if not error > 0 or df < 1:
        return Estimate(r, None, None), Significance(NAME, None, (), None)
    z, se = math.atanh(r), error / (1 - r**2)
    half = float(stats.t.ppf((1 + LEVEL) / 2, df)) * se
    return Estimate(r, math.tanh(z - half), math.tanh(z + half)), t_test(NAME, z, se, df)
