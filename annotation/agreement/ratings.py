"""Makes tables of ratings, checked once, so that the measures can rely on them."""

from collections.abc import Sequence

import numpy as np

from annotation.agreement.values import Ratings


class RatingsUnusable(ValueError):
    """A table of ratings that cannot be measured at all."""


def ratings_table(
    rows: Sequence[Sequence[float | None]],
    *,
    raters: Sequence[str] | None = None,
    items: Sequence[str] | None = None,
    clusters: Sequence[str] | None = None,
) -> Ratings:
    """A row per item, a column per rater, None where somebody did not rate; without clusters, items stand alone.

    >>> ratings_table([[1, None], [0, 1]], raters=["Ann", "Bob"]).values.tolist()
    [[1.0, nan], [0.0, 1.0]]
    """
    widths = {len(row) for row in rows}
    if len(widths) > 1:
        raise RatingsUnusable(
            f"The rows have {sorted(widths)} ratings: give every rater a column, None for a gap."
        )
    width = len(raters) if raters is not None else next(iter(widths), 0)
    values = np.array(rows, dtype=np.float64).reshape(len(rows), width)
    if np.isinf(values).any():
        raise RatingsUnusable("A rating is infinite: give a number, or None for a gap.")
    names = tuple(items) if items is not None else tuple(str(at) for at in range(1, len(rows) + 1))
    people = tuple(raters) if raters is not None else tuple(str(at) for at in range(1, width + 1))
    return Ratings(names, people, values, tuple(clusters) if clusters is not None else names)
