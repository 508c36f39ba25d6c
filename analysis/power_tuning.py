"""How far an estimate from gold leans on the model: power tuning (PPI++).

With θ₀ the estimate from gold alone, and G the same made from the model's labels of the gold items less that from the
model's labels of all, which is 0 but for chance,

    θ(λ) = θ₀ - λ G

is right on average whatever λ and the model's errors: λ = 0 is gold alone, λ = 1 takes the model at its word and adds
its errors as gold shows them. Cluster c moves θ₀ by a_c and G by g_c, so that the variance is least at

    λ = Σ a_c g_c / (Σ g_c² + e),        kept between 0 and 1,

e the variance that errors would bring which gold could not yet show: a good model errs on few of the gold labels or
none, and the variance that these show is then too small. It shrinks λ where gold is little, and makes that the tuned
variance is never above that of gold alone. What cluster c adds to the variance is measured with the λ of the other
clusters, since its own would fit itself. (Angelopoulos, Duchi & Zrnic 2023, “PPI++: Efficient prediction-powered
inference”, arXiv 2311.01453; Chen & Chen 2000, Journal of the Royal Statistical Society B 62, 449–460, for θ₀ - λG of
any estimate.)
"""

from dataclasses import dataclass

import numpy as np

from analysis.values import Values

# A decision is wrong or right, so that errors are seen or not; of a probability every label shows how far off it is.
UNSEEN_OF_DECISIONS, UNSEEN_OF_PROBABILITIES = 1.0, 0.2


@dataclass(frozen=True, slots=True, eq=False)
class GoldAlone:
    """An estimate from gold, with what each cluster moves it by. `leverage` is how much of its own fit each cluster is,
    0 where that is next to nothing."""

    value: float
    moved: Values
    leverage: Values

    @property
    def variance(self) -> float:
        return float(np.sum(_widen(self.moved, self.leverage) ** 2))


@dataclass(frozen=True, slots=True, eq=False)
class Gap:
    """G: from the model's labels of the gold items less from those of all, with what each cluster moves it by."""

    value: float
    moved: Values


@dataclass(frozen=True, slots=True, eq=False)
class Tuned:
    """`ratio` is the variance as a part of that of gold alone; `moved` is what each cluster moves the value by."""

    value: float
    weight: float
    ratio: float
    moved: Values


def tune(gold: GoldAlone, gap: Gap | None, unseen: float) -> Tuned:
    """`unseen` is e; without a gap, as where the model says the same of all gold, gold is alone.

    A model that is right of all four gold labels is taken at its word but for the error that gold of four cannot show:

    >>> moved = np.array([0.125, 0.125, -0.125, -0.125])
    >>> found = tune(GoldAlone(0.5, moved, np.zeros(4)), Gap(0.1, moved), unseen=1 / 16)
    >>> round(found.weight, 3), round(found.value, 3)
    (0.5, 0.45)
    """
    variance = gold.variance
    if gap is None or not variance > 0:
        return Tuned(gold.value, 0.0, 1.0, gold.moved)
    both, own = gold.moved * gap.moved, gap.moved**2
    total, spread = float(both.sum()), float(own.sum()) + unseen
    weight = float(np.clip(total / spread, 0, 1)) if spread > 0 else 0.0
    others = np.clip((total - both) / np.maximum(spread - own, np.finfo(np.float64).tiny), 0, 1)
    moved = gold.moved - others * gap.moved
    tuned = float(np.sum(_widen(moved, gold.leverage) ** 2)) + weight**2 * unseen
    if weight == 0 or tuned >= variance:
        return Tuned(gold.value, 0.0, 1.0, gold.moved)
    return Tuned(gold.value - weight * gap.value, weight, tuned / variance, moved)


def unseen_errors(model: Values) -> float:
    """How many more labels of average weight gold is taken to hold that the model gets wrong."""
    is_decision = bool((model == np.rint(model)).all())
    return UNSEEN_OF_DECISIONS if is_decision else UNSEEN_OF_PROBABILITIES


def _widen(moved: Values, leverage: Values) -> Values:
    """A cluster draws the fit to itself by its leverage (HC2, MacKinnon & White 1985)."""
    return np.asarray(moved / np.sqrt(1 - np.clip(leverage, 0, 0.9)), dtype=np.float64)
