"""All measures on one table of ratings, on the table itself and on its resamples."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.alpha import Alpha
from annotation.agreement.category_measures import category_measures, category_sums
from annotation.agreement.cohen import mean_of_defined, pair_measures, pair_sums
from annotation.agreement.patterns import Patterns, meetings_in
from annotation.agreement.resampling import Units, Values
from annotation.agreement.sums import Sums
from annotation.agreement.values import Measure, MeasurementLevel


@dataclass(frozen=True, slots=True, eq=False)
class Sampled:
    """Row 0 of every array is the table as it is, the others are its resamples; NaN where undefined.

    `by_measure` has a vector per measure; the pairs' arrays have a column for each pair of raters.
    """

    by_measure: dict[Measure, NDArray[np.float64]]
    pair_kappa: NDArray[np.float64]
    pair_agreement: NDArray[np.float64]
    pair_items: NDArray[np.float64]


class RatingsJob:
    """The measures on one table of ratings, whose patterns are the rows that `units` are made of."""

    def __init__(self, patterns: Patterns, units: Units, level: MeasurementLevel) -> None:
        meetings = meetings_in(patterns)
        self._alpha = Alpha(patterns, meetings, level)
        self._n_pairs = len(meetings.pairs)
        added = (category_sums(patterns, meetings), self._alpha.sums, pair_sums(patterns, meetings))
        self._tables = tuple(units.grouped(table) for table in added)

    @property
    def tables(self) -> tuple[Sums, ...]:
        return self._tables

    def measured(self, sums: tuple[Values, ...]) -> tuple[Values, ...]:
        by_category, by_distance, by_pair = sums
        found, pairs = category_measures(by_category), pair_measures(by_pair, self._n_pairs)
        by_measure = {
            Measure.FLEISS_KAPPA: found.fleiss_kappa,
            Measure.KRIPPENDORFF_ALPHA: self._alpha.values(by_distance),
            Measure.GWET_AC1: found.gwet_ac1,
            Measure.COHEN_KAPPA_MEAN: mean_of_defined(pairs.kappa),
            Measure.RAW_AGREEMENT: found.raw_agreement,
        }
        return (*(by_measure[name] for name in Measure), pairs.kappa, pairs.raw_agreement, pairs.n_items)


def sampled(arrays: tuple[Values, ...]) -> Sampled:
    """What a job on ratings measured, by name."""
    *measures, kappa, agreement, n_items = arrays
    return Sampled(dict(zip(Measure, measures, strict=True)), kappa, agreement, n_items)
