"""Checks Krippendorff's alpha against the `krippendorff` package, which others wrote (S. Castro, 2017)."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import version

from annotation.agreement.reports import AlphaCheck
from annotation.agreement.values import MeasurementLevel, Ratings

_TOLERANCE = 1e-12
# What was measured on: its name, the ratings, what alpha assumed of them, and the alpha that we found.
Measured = tuple[str, Ratings, MeasurementLevel, float | None]


def check_alphas(found: Iterable[Measured]) -> AlphaCheck:
    """Where alpha is not defined there is nothing to compare.

    >>> from annotation.agreement.ratings import ratings_table
    >>> table = ratings_table([[1, 1], [2, 2], [3, 2], [3, None]])
    >>> check_alphas([("comfort", table, MeasurementLevel.NOMINAL, 6 / 11)]).says
    'checked against krippendorff 0.9.0: equal to 1e-12'
    >>> check_alphas([("comfort", table, MeasurementLevel.NOMINAL, 0.5)]).differing
    ('comfort',)
    """
    compared = [
        (name, abs(theirs(ratings, level) - value))
        for name, ratings, level, value in found
        if value is not None
    ]
    differing = tuple(name for name, distance in compared if not distance <= _TOLERANCE)
    package = f"krippendorff {version('krippendorff')}"
    if not compared:
        return AlphaCheck(f"not checked against {package}: alpha has no value", ())
    if differing:
        said = f"differs from {package} by more than {_TOLERANCE:g}: {', '.join(differing)}"
        return AlphaCheck(said, differing)
    return AlphaCheck(f"checked against {package}: equal to {_TOLERANCE:g}", ())


def theirs(ratings: Ratings, level: MeasurementLevel) -> float:
    """Alpha as the package computes it, from a row per rater."""
    import krippendorff

    return float(krippendorff.alpha(reliability_data=ratings.values.T, level_of_measurement=level.value))
