"""The rule by which a study lets an adapter into service."""

from __future__ import annotations

import msgspec

from annotation.agreement.trust_rule import Bound
from learning.alpha_spending import LEVEL

RESAMPLES = 1000


class PromotionRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An adapter enters if the mean of its themes' scores is better than that of the one in service by more than
    `least_gain`, and no theme clearly falls by more than `largest_drop`: with an interval that lies below zero.

    `bound` says which number of the mean's difference has to be above. With the lower end of its 95% interval, chance
    must also make such a gain in fewer cases than this look at the test set allows, so that at most 5% of test sets
    ever see a false promotion. With the difference itself, nothing is asked of chance.
    """

    least_gain: float = 0.0
    bound: Bound = Bound.LOW
    largest_drop: float = 0.1
    resamples: int = RESAMPLES

    def __str__(self) -> str:
        number = (
            "the lower end of the interval of the mean gain"
            if self.bound is Bound.LOW
            else "the mean gain itself"
        )
        by_chance = (
            f", chance alone makes such a gain in at most {100 * LEVEL:g}% of test sets over all looks"
        )
        return (
            f"{number} is above {100 * self.least_gain:.1f} points"
            f"{by_chance if self.bound is Bound.LOW else ''}, and no theme clearly falls by more than "
            f"{100 * self.largest_drop:.1f} points, with an interval below zero"
        )
