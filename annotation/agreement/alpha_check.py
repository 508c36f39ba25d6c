"""Checks Krippendorff's alpha against the `krippendorff` package, which others wrote (S. Castro, 2017)."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import version

import numpy as np

from annotation.agreement.reports import AlphaCheck
from annotation.agreement.values import MeasurementLevel, Ratings

_TOLERANCE = 1e-12
# 80 MB, which the package has several times.
_MOST_CELLS = 10_000_000
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
    package = f"krippendorff {version('krippendorff')}"
    known = [(name, ratings, level, value) for name, ratings, level, value in found if value is not None]
    too_large = [name for name, ratings, _, _ in known if _cells(ratings) > _MOST_CELLS]
    compared = [
        (name, abs(theirs(ratings, level) - value))
        for name, ratings, level, value in known
        if name not in too_large
    ]
    skipped = f"not checked, as it would need too much memory: {', '.join(too_large)}" if too_large else ""
    if not compared:
        why = "it would need too much memory" if too_large else "alpha has no value"
        return AlphaCheck(f"not checked against {package}: {why}", ())
    differing = tuple(name for name, distance in compared if not distance <= _TOLERANCE)
    said = f"checked against {package}: equal to {_TOLERANCE:g}"
    if differing:
        said = f"differs from {package} by more than {_TOLERANCE:g}: {', '.join(differing)}"
    return AlphaCheck("; ".join(filter(None, (said, skipped))), differing)


def _cells(ratings: Ratings) -> int:
    """The package holds a table of answers by answers for every item."""
    n_values = len(np.unique(ratings.values[~np.isnan(ratings.values)]))
    return len(ratings.items) * n_values**2


def theirs(ratings: Ratings, level: MeasurementLevel) -> float:
    """Alpha as the package computes it, from a row per rater."""
    import krippendorff

    return float(krippendorff.alpha(reliability_data=ratings.values.T, level_of_measurement=level.value))
