"""How low a measure may really be where no two ratings differ.

Resampling ratings that never differ gives the same value each time, and so an interval without width, be the table
of ten items or of ten thousand. If none of n posts shows a disagreement, its rate is still only known to be at most

    d = 1 - 0.025^(1/n)

by the exact binomial bound (Clopper & Pearson 1934, Biometrika 26, 404–413). The measures are 1 - d / u, u being the
disagreement that they expect by chance: for Fleiss, Cohen and alpha 1 - Σ π_k², for AC1 1 - Σ π_k (1 - π_k) / (q - 1),
for raw agreement 1. Posts are counted, not items, because what holds of one reply to a post may hold of all of them.
"""

from annotation.agreement.values import CategoryShare, Measure, RatingsAgreement

_TAIL = 0.025


def lowest_without_disagreement(agreement: RatingsAgreement, measure: Measure) -> float | None:
    """The lower bound to go by; None where some ratings differ, so that the bootstrap tells.

    >>> from annotation.agreement.measure import measure_ratings
    >>> from annotation.agreement.ratings import ratings_table
    >>> from annotation.agreement.values import MeasurementLevel
    >>> table = ratings_table([[1, 1], [0, 0]] * 10)
    >>> found = measure_ratings(table, level=MeasurementLevel.NOMINAL, resamples=100, seed=1)
    >>> found.fleiss_kappa.low  # by the bootstrap
    1.0
    >>> round(lowest_without_disagreement(found, Measure.FLEISS_KAPPA), 3)  # d = 0.168, u = 1/2
    0.663
    """
    raw = agreement.raw_agreement
    if raw.value is None or raw.value < 1 or agreement.of(measure).value is None:
        return None
    return 1 - highest_rate(agreement.n_units) / _unlike_by_chance(agreement.prevalence, measure)


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


def _unlike_by_chance(prevalence: tuple[CategoryShare, ...], measure: Measure) -> float:
    if measure is Measure.RAW_AGREEMENT:
        return 1.0
    squares = sum(each.share**2 for each in prevalence)
    if measure is Measure.GWET_AC1:
        return 1 - (1 - squares) / (len(prevalence) - 1)
    return 1 - squares
