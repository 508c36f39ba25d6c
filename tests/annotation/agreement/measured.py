"""Short ways to a measure of a table, for tests."""

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from annotation.agreement.measure import measure_ratings
from annotation.agreement.ratings import ratings_table
from annotation.agreement.values import MeasurementLevel, RatingsAgreement

Rows = Sequence[Sequence[float | None]]


def measured(
    rows: Rows,
    *,
    level: MeasurementLevel = MeasurementLevel.NOMINAL,
    resamples: int = 0,
    seed: int = 1,
    clusters: Sequence[str] | None = None,
) -> RatingsAgreement:
    return measure_ratings(
        ratings_table(rows, clusters=clusters), level=level, resamples=resamples, seed=seed
    )


def noisy_rows(rng: np.random.Generator, n: int, *, error: float, share: float = 0.5) -> list[list[float]]:
    """Three raters who each get a yes or no wrong with the given probability."""
    truth = rng.random((n, 1)) < share
    said = np.where(rng.random((n, 3)) < error, ~truth, truth)
    return [[float(value) for value in row] for row in said]


@st.composite
def tables(
    draw: st.DrawFn, *, gaps: bool, values: tuple[float, ...] = (0, 1, 2, 5)
) -> list[list[float | None]]:
    """Two to five raters, up to twelve items."""
    n_raters = draw(st.integers(2, 5))
    cell: st.SearchStrategy[float | None] = st.sampled_from(values)
    if gaps:
        cell = st.one_of(st.none(), cell)
    return draw(st.lists(st.lists(cell, min_size=n_raters, max_size=n_raters), min_size=1, max_size=12))
