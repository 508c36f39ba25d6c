"""How low a statistic may really be where no two ratings differ.

Resampling ratings that never differ gives the same value each time, and so an interval without width, be the table
of ten items or of ten thousand. If none of n posts shows a disagreement, its rate is still only known to be at most

    d = 1 - 0.025^(1/n)

by the exact binomial bound (Clopper & Pearson 1934, Biometrika 26, 404–413). The statistics are 1 - d / u, u being the
disagreement that they expect by chance (`Statistic.chance_disagreement`). Posts are counted, not items, because what
holds of one reply to a post may hold of all of them.
"""

from annotation.agreement.registry import statistic
from annotation.agreement.values import RatingsAgreement

_TAIL = 0.025


def lowest_without_disagreement(agreement: RatingsAgreement, name: str) -> float | None:
    """The lower bound to go by; None where some ratings differ, so that the bootstrap tells.

    >>> from annotation.agreement.measure import measure_ratings
    >>> from annotation.agreement.ratings import ratings_table
    >>> from annotation.agreement.values import MeasurementLevel
    >>> table = ratings_table([[1, 1], [0, 0]] * 10)
    >>> found = measure_ratings(table, level=MeasurementLevel.NOMINAL, resamples=100, seed=1)
    >>> found["fleiss_kappa"].low  # by the bootstrap
    1.0
    >>> round(lowest_without_disagreement(found, "fleiss_kappa"), 3)  # d = 0.168, u = 1/2
    0.663
    """
    raw, unlike_by_chance = agreement["raw_agreement"], statistic(name).chance_disagreement
    if raw.value is None or raw.value < 1 or agreement[name].value is None or unlike_by_chance is None:
        return None
    return 1 - highest_rate(agreement.n_units) / unlike_by_chance(
        [each.share for each in agreement.prevalence]
    )


def highest_rate(n_units: int) -> float:
    """How often two ratings may really differ where in none of n independent posts they do.

    >>> round(highest_rate(100), 3)
    0.036
    """
    return 1 - float(_TAIL ** (1 / n_units))


def no_disagreement_note(n_units: int, n_items: int, noun: str) -> str:
    """What has to be said where the bootstrap finds perfect agreement in every resample."""
    behind = f"{n_units:,} {noun}s" if n_units == n_items else f"{n_items:,} {noun}s from {n_units:,} posts"
    return (
        f"No two ratings differ, so the interval has no width; by the exact bound, {behind} still allow"
        f" a rate of disagreement of up to {highest_rate(n_units):.1%}."
    )
