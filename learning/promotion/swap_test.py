"""Could chance have made this gain? Two equally good models trade places on posts that a coin chooses.

If neither of two models is better, it is a coin toss on each post which of them gave which answers. So the gain g is
held against the gains g* after B times of tossing a coin for each post:

    p = (1 + #{g* ≥ g - δ}) / (1 + B)

δ is the gain that is asked for. With δ = 0 the test keeps its level exactly, on any number of posts and at any level,
where it does not matter whose answers are whose (Fisher 1935, The Design of Experiments; Phipson & Smyth 2010,
Statistical Applications in Genetics and Molecular Biology 9). Nothing is assumed about how scores are distributed, and
the score need not be a mean over items. Posts change hands whole, because their items belong together.

Tossing ends at the hundredth g* that is as large: p is then 100 / B, which is as valid and soon found (Besag &
Clifford 1991, Biometrika 78).
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
# By which gain changes if the models trade places: a row for each toss, 1 where a post changes hands and 0 elsewhere
GainsOfTosses = Callable[[Numbers], Numbers]

MOST_TOSSES = 200_000
ENOUGH_AS_LARGE = 100
_ROUNDING = 1e-12
_FIRST_TOSSES = 1_000
_CELLS_AT_ONCE = 4_000_000


class SwapTest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`spread` is the standard deviation of gains that chance makes; on `n_differing` posts the models differ."""

    p: float
    least_gain: float
    spread: float
    n_tosses: int
    n_differing: int


def swap_test(
    gains: GainsOfTosses,
    n_differing: int,
    *,
    seed: int,
    least_gain: float = 0.0,
    most_tosses: int = MOST_TOSSES,
) -> SwapTest:
    """Only posts on which the models differ are tossed for: the others make no difference.

    On eight posts one model is right and the other wrong, and on two it is the other way round. That the gain is 6 or
    more comes up in (45 + 10 + 1) of 2^10 cases:

    >>> better = np.array([1.0] * 8 + [-1.0] * 2)
    >>> found = swap_test(lambda traded: (1 - 2 * traded) @ better, 10, seed=1, most_tosses=4000)
    >>> round(56 / 1024, 3), round(found.p, 3), round(found.spread, 1)
    (0.055, 0.058, 3.2)
    """
    observed = float(gains(np.zeros((1, n_differing)))[0]) if n_differing else 0.0
    bar = observed - least_gain - _ROUNDING
    rng = np.random.default_rng(seed)
    n_tosses, n_as_large, squares = 0, 0, 0.0
    while n_differing and n_tosses < most_tosses:
        at_once = max(_FIRST_TOSSES, min(9 * n_tosses, _CELLS_AT_ONCE // n_differing))
        tossed = rng.integers(0, 2, size=(min(at_once, most_tosses - n_tosses), n_differing))
        by_chance = gains(tossed.astype(np.float64))
        squares += float(np.nansum(by_chance**2))
        as_large = np.flatnonzero(~(by_chance < bar))
        if n_as_large + len(as_large) >= ENOUGH_AS_LARGE:
            until = n_tosses + int(as_large[ENOUGH_AS_LARGE - n_as_large - 1]) + 1
            spread = float(np.sqrt(squares / (n_tosses + len(tossed))))
            return _test(ENOUGH_AS_LARGE / until, least_gain, spread, until, n_differing)
        n_tosses, n_as_large = n_tosses + len(tossed), n_as_large + len(as_large)
    spread = float(np.sqrt(squares / n_tosses)) if n_tosses else 0.0
    p = (1 + n_as_large) / (1 + n_tosses)
    return _test(p, least_gain, spread, n_tosses, n_differing)


def _test(p: float, least_gain: float, spread: float, n_tosses: int, n_differing: int) -> SwapTest:
    return SwapTest(p=p, least_gain=least_gain, spread=spread, n_tosses=n_tosses, n_differing=n_differing)
