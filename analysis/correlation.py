"""The correlation of two labels on the same items, with an interval that knows what belongs together.

From means m of the labels, their squares and their product,

    r = (m_ab - m_a m_b) / √(v_a v_b),        v_a = m_aa - m_a²

which on labels of 0 and 1 is φ. An item moves it by w_i ψ_i / Σ w, w its weight and

    ψ_i = z_a z_b - r/2 (z_a² + z_b²),        z_a = (a_i - m_a) / √v_a

from which comes the clustered error se. The interval is tanh(atanh r ± t · se / (1 - r²)). Where one label follows
exactly from the other, r is 1 or -1, and no interval can be made of that. (Pearson 1900, Philosophical Transactions
A 195, 1–47, for φ; Fisher 1921, Metron 1, 3–32; van der Vaart 1998, Asymptotic Statistics, ch. 3, for the error.)
"""

import math

import numpy as np

from analysis.normal import LEVEL, t_test
from analysis.three_ways import Fit
from analysis.values import ROUNDING, Estimate, Significance, Values

NAME = "z of Fisher, clustered"
# Of two labels of which one follows exactly from the other.
SURE = 1.0


def standardise(values: Values, weight: Values) -> Values | None:
    """With mean 0 and spread 1; None where they do not vary.

    >>> standardise(np.array([1.0, 1, 0, 0]), np.ones(4)).tolist()
    [1.0, 1.0, -1.0, -1.0]
    """
    total = float(weight.sum())
    away = values - float(weight @ values) / total
    variance = float(weight @ away**2) / total
    return away / math.sqrt(variance) if variance > ROUNDING * float(np.abs(values).max()) else None


def correlation(one: Values | None, other: Values | None, weight: Values) -> Fit | None:
    """r of two labels that are `standardised`; None where one of them does not vary.

    >>> a, b, ones = np.array([1.0, 1, 0, 0]), np.array([1.0, 0, 0, 0]), np.ones(4)
    >>> found = correlation(standardise(a, ones), standardise(b, ones), ones)
    >>> round(found.value, 4), found.moved.round(4).tolist()
    (0.5774, [0.1443, -0.2406, 0.0481, 0.0481])
    """
    if one is None or other is None:
        return None
    product, share = one * other, weight / float(weight.sum())
    r = float(share @ product)
    if abs(abs(r) - SURE) < ROUNDING:
        return Fit(math.copysign(SURE, r), np.zeros(len(one)))
    return Fit(r, share * (product - r / 2 * (one**2 + other**2)))


def fisher(r: float, error: float, df: float) -> tuple[Estimate, Significance]:
    """The interval and the test that there is no correlation, on Fisher's scale.

    >>> estimate, test = fisher(0.3, 0.05, 400)
    >>> [round(each or 0, 3) for each in (estimate.low, estimate.high, test.statistic)]
    [0.199, 0.395, 5.633]
    """
    from scipy import stats  # takes long to load

    if not error > 0 or df < 1 or abs(r) >= SURE:
        return Estimate(r, None, None), Significance(NAME, None, (), None)
    z, se = math.atanh(r), error / (1 - r**2)
    half = float(stats.t.ppf((1 + LEVEL) / 2, df)) * se
    return Estimate(r, math.tanh(z - half), math.tanh(z + half)), t_test(NAME, z, se, df)
