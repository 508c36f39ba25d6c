"""How many items, and raters, agreement has to be measured on: for an interval of a given width, or to tell κ₁ from κ₀.

Of two raters who say yes to shares a and b of the items, Cohen's kappa from N items has the variance Q / N, where

    Q = (1 - p_e)⁻⁴ { Σ_i p_ii ((1 - p_e) - (p_i. + p_.i)(1 - p_o))² + (1 - p_o)² Σ_{i≠j} p_ij (p_.i + p_j.)²
                      - (p_o p_e - 2 p_e + p_o)² },        p_o = κ (1 - p_e) + p_e,

so that an interval w wide needs N = Q (2 z / w)², and a test that κ is κ₁ and not κ₀, with the normal
quantiles z_1 of its level and z_2 of its power,

    N = ((z_1 √Q₀ + z_2 √Q₁) / (κ₁ - κ₀))².

Of more raters Q is that of Fleiss' kappa, and comes from simulation: an item has the code with a probability of its own
from a beta distribution with mean p and parameters that add up to (1 - κ) / κ, of which κ is the correlation within
items. (Cantor 1996, Psychological Methods 1, 150–153; Fleiss, Cohen & Everitt 1969, Psychological Bulletin 72,
323–327; Fleiss 1971, Psychological Bulletin 76, 378–382.)
"""

import math
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np

# How many items a simulated study has, and how many studies tell how kappa spreads
N_ITEMS, N_STUDIES = 400, 2_000


class PlanImpossible(ValueError):
    """What no number of items can do; the message says what to change."""


@dataclass(frozen=True, slots=True)
class AgreementTest:
    """That kappa is not `null`, if in truth it is `true`, above or below; with one tail unless `two_sided`.

    >>> true, null = cohen_q(0.85, 0.5, 0.5), cohen_q(0.7, 0.5, 0.5)
    >>> AgreementTest(null=0.7, true=0.85).n_items(null, true), AgreementTest(null=0.85, true=0.7).n_items(true, null)
    (117, 96)
    """

    null: float
    true: float
    level: float = 0.05
    power: float = 0.8
    two_sided: bool = False

    def n_items(self, q_null: float, q_true: float) -> int:
        """By Q of both."""
        if self.null == self.true:
            raise PlanImpossible(
                f"A kappa of {self.true:g} cannot be told from itself: give two that differ."
            )
        tail = self.level / 2 if self.two_sided else self.level
        apart = _quantile(1 - tail) * math.sqrt(q_null) + _quantile(self.power) * math.sqrt(q_true)
        return math.ceil((apart / (self.true - self.null)) ** 2)


def cohen_q(kappa: float, one: float, other: float) -> float:
    """N times the variance of Cohen's kappa, by the share that each rater says yes to.

    >>> round(cohen_q(0.0, 0.5, 0.5), 3), round(cohen_q(0.7, 0.5, 0.5), 3)
    (1.0, 0.51)
    """
    by_one, by_other = np.array([1 - one, one]), np.array([1 - other, other])
    chance = float(by_one @ by_other)
    observed = kappa * (1 - chance) + chance
    agree_yes = (observed - 1 + one + other) / 2
    joint = np.array([[observed - agree_yes, other - agree_yes], [one - agree_yes, agree_yes]])
    if joint.min() < -1e-12:
        raise PlanImpossible(
            f"Raters who say yes to {one:.0%} and {other:.0%} cannot reach a kappa of {kappa:g}: give shares that are"
            " more alike, or a lower kappa."
        )
    together = sum(
        joint[i, i] * ((1 - chance) - (by_one[i] + by_other[i]) * (1 - observed)) ** 2 for i in (0, 1)
    )
    apart = sum(joint[i, 1 - i] * (by_other[i] + by_one[1 - i]) ** 2 for i in (0, 1))
    found = together + (1 - observed) ** 2 * apart - (observed * chance - 2 * chance + observed) ** 2
    return float(found / (1 - chance) ** 4)


def fleiss_q(kappa: float, share: float, n_raters: int, rng: np.random.Generator) -> float:
    """N times the variance of Fleiss' kappa, by simulation; of two raters it is near that of Cohen's.

    >>> found = fleiss_q(0.6, 0.5, 2, np.random.default_rng(1))
    >>> abs(found / cohen_q(0.6, 0.5, 0.5) - 1) < 0.1
    True
    """
    if not 0 < kappa < 1 or not 0 < share < 1 or n_raters < 2:
        raise PlanImpossible("Give a kappa and a share between 0 and 1, and at least two raters.")
    both = (1 - kappa) / kappa
    chance = rng.beta(share * both, (1 - share) * both, (N_STUDIES, N_ITEMS))
    yes = rng.binomial(n_raters, chance)
    unlike = (2 * yes * (n_raters - yes) / (n_raters * (n_raters - 1))).mean(axis=1)
    found = yes.mean(axis=1) / n_raters
    by_chance = 2 * found * (1 - found)
    varied = by_chance > 0
    kappas = 1 - unlike[varied] / by_chance[varied]
    return float(N_ITEMS * kappas.var(ddof=1))


@dataclass(frozen=True, slots=True)
class AgreementPlan:
    """What is expected: agreement of about `kappa` on a code in `share` of the items, by so many raters."""

    kappa: float
    share: float
    n_raters: int = 2
    seed: int = 1

    def q(self, kappa: float | None = None) -> float:
        kappa = self.kappa if kappa is None else kappa
        if self.n_raters == 2:
            return cohen_q(kappa, self.share, self.share)
        return fleiss_q(kappa, self.share, self.n_raters, np.random.default_rng(self.seed))

    def to_tell_from(self, null: float, level: float = 0.05, power: float = 0.8) -> int:
        """Items to show that kappa is not `null`, but above or below."""
        return AgreementTest(null, self.kappa, level, power).n_items(self.q(null), self.q())


def items_for_width(q: float, width: float, level: float = 0.95) -> int:
    """
    >>> items_for_width(cohen_q(0.7, 0.5, 0.5), 0.2)
    196
    """
    if not width > 0:
        raise PlanImpossible("Give a width above 0, such as 0.2.")
    return math.ceil(q * (2 * _quantile((1 + level) / 2) / width) ** 2)


def width_of(q: float, n_items: int, level: float = 0.95) -> float:
    """
    >>> round(width_of(0.51, 196), 2)
    0.2
    """
    return 2 * _quantile((1 + level) / 2) * math.sqrt(q / n_items)


# Widths are shown for these numbers of items
SIZES = (50, 100, 200, 300, 500, 1_000)


@dataclass(frozen=True, slots=True)
class AgreementNeeds:
    """`to_tell` items show that kappa is not `null` if it is as planned, `the_other_way` that it is not as planned if
    it is `null`."""

    plan: AgreementPlan
    widths: tuple[tuple[int, float], ...]
    null: float | None = None
    to_tell: int | None = None
    the_other_way: int | None = None
    width: float | None = None
    for_width: int | None = None

    @property
    def sentences(self) -> tuple[str, ...]:
        plan = self.plan
        measure = (
            "Cohen's kappa of two raters"
            if plan.n_raters == 2
            else f"Fleiss' kappa of {plan.n_raters} raters"
        )
        said = [f"{measure}, with a code in {plan.share:.0%} of the items:"]
        if self.null is not None and self.to_tell is not None and self.the_other_way is not None:
            where = "above" if plan.kappa > self.null else "below"
            said.append(
                f"{self.to_tell:,} items to show that kappa is {where} {self.null:g} if it is {plan.kappa:g}"
                f" ({self.the_other_way:,} to show that it is not {plan.kappa:g} if it is {self.null:g})."
            )
        if self.width is not None and self.for_width is not None:
            said.append(
                f"{self.for_width:,} items for an interval {self.width:g} wide, if kappa is {plan.kappa:g}."
            )
        said += [f"With {n:,} items the interval is about {width:.3f} wide." for n, width in self.widths]
        return tuple(said)

    def as_dict(self) -> dict[str, object]:
        plan = self.plan
        return {
            "kappa": plan.kappa,
            "share": plan.share,
            "n_raters": plan.n_raters,
            "null": self.null,
            "n_items_to_tell": self.to_tell,
            "n_items_the_other_way": self.the_other_way,
            "width": self.width,
            "n_items_for_width": self.for_width,
            "widths": [{"n_items": n, "width": width} for n, width in self.widths],
        }


def agreement_needs(
    plan: AgreementPlan,
    *,
    null: float | None = None,
    width: float | None = None,
    level: float = 0.05,
    power: float = 0.8,
) -> AgreementNeeds:
    """
    >>> found = agreement_needs(AgreementPlan(0.85, 0.5), null=0.7, width=0.2)
    >>> found.to_tell, found.the_other_way, found.for_width
    (117, 96, 107)
    """
    if not (0 < plan.share < 1 and 0 <= plan.kappa < 1 and (null is None or 0 <= null < 1)):
        raise PlanImpossible("Give a share between 0 and 1, and kappas from 0 to below 1.")
    if not (0 < level < 1 and 0 < power < 1):
        raise PlanImpossible("Give a level and a power between 0 and 1, such as 0.05 and 0.8.")
    q = plan.q()
    widths = tuple((n, width_of(q, n)) for n in SIZES)
    there = back = None
    if null is not None:
        there = plan.to_tell_from(null, level, power)
        back = replace(plan, kappa=null).to_tell_from(plan.kappa, level, power)
    enough = None if width is None else items_for_width(q, width)
    return AgreementNeeds(plan, widths, null, there, back, width, enough)


def _quantile(level: float) -> float:
    """Of the normal distribution."""
    return NormalDist().inv_cdf(level)
