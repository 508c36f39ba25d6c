"""Does "not sure" foretell disagreement? An annotator's flags beside how far others judged otherwise.

For an item that a rater and at least one other answered, the rate of disagreement is the share of comparisons, one for
each code and each other rater, in which the two answers differ. The rates are averaged over the items that the rater
flagged and over those not flagged; a difference above 0 says that the flag is worth heeding.
"""

import numpy as np

from annotation.agreement.bayesian_bootstrap import with_unseen
from annotation.agreement.bootstrap import Units, Values
from annotation.agreement.notes import estimate
from annotation.agreement.reports import FlagCalibration
from annotation.agreement.sparse_sums import Entries, Sums, sums_of
from annotation.agreement.tabulate import BatchTable

_WIDTH = 4
FEWEST = 5


def disagreement_rates(values: Values, rater: int) -> Values:
    """Per item, how far others differ from the rater; NaN where there is nothing to compare.

    >>> two_codes = np.array([[[1.0, 0.0, 1.0]], [[0.0, 0.0, np.nan]]])  # codes × items × raters
    >>> disagreement_rates(two_codes, 0).tolist()  # of three comparisons, one differs
    [0.3333333333333333]
    """
    compared = differ = np.zeros(values.shape[1], dtype=np.int64)
    own, rated = values[..., rater], ~np.isnan(values)
    for other in range(values.shape[2]):
        if other != rater:
            both = rated[..., rater] & rated[..., other]
            compared = compared + both.sum(axis=0)
            differ = differ + (both & (own != values[..., other])).sum(axis=0)
    with np.errstate(invalid="ignore"):
        rates: Values = differ / compared
        return rates


class FlagsJob:
    """The mean rates of every rater, flagged and not, on every resample."""

    def __init__(self, table: BatchTable, units: Units) -> None:
        entries: list[Entries] = []
        for rater in range(len(table.raters)):
            rates = disagreement_rates(table.values, rater)
            items = np.flatnonzero(~np.isnan(rates))
            columns = rater * _WIDTH + np.where(table.flagged[items, rater], 0, 2)
            entries += [(items, columns, 1.0), (items, columns + 1, rates[items])]
        added = sums_of(len(table.items), _WIDTH * len(table.raters), *entries)
        self._tables = (with_unseen(units.grouped(added)),)
        behind = added.groups_with(table.clusters, table.n_clusters)
        # Raters × (flagged, not flagged): in how many posts there is such an item.
        self.n_units = behind.reshape(-1, _WIDTH)[:, [0, 2]]

    @property
    def tables(self) -> tuple[Sums, ...]:
        return self._tables

    def measured(self, sums: tuple[Values, ...]) -> tuple[Values, ...]:
        """Resamples × raters: flagged, not flagged, difference, and the numbers of items."""
        by_rater = sums[0].reshape(len(sums[0]), -1, _WIDTH)
        with np.errstate(invalid="ignore"):
            flagged = by_rater[..., 1] / by_rater[..., 0]
            others = by_rater[..., 3] / by_rater[..., 2]
        return flagged, others, flagged - others, by_rater[..., 0], by_rater[..., 2]


def flag_calibrations(
    table: BatchTable, job: FlagsJob, arrays: tuple[Values, ...]
) -> tuple[FlagCalibration, ...]:
    """What a job on flags measured, one entry per rater."""
    units = job.n_units.tolist()
    return tuple(_calibration(rater, at, arrays, units[at]) for at, rater in enumerate(table.raters))


def _calibration(
    rater: str, at: int, arrays: tuple[Values, ...], n_units: tuple[int, int]
) -> FlagCalibration:
    n_flagged, n_others = int(arrays[3][0, at]), int(arrays[4][0, at])
    reason = "Undefined: no flagged item was also answered by another annotator."
    if n_flagged:
        reason = "Undefined: every item that others answered is flagged."
    fewest = min(n_units)
    # A few flags resampled are the same few flags: their interval would be narrow and wrong.
    too_few = "Fewer than five posts on one side." if 0 < fewest < FEWEST else ""
    estimates = [
        estimate(
            values[:, at],
            n_items=n,
            n_raters=1,
            n_units=fewest if fewest >= FEWEST else 1,
            note=too_few,
            reason=reason,
        )
        for values, n in zip(arrays, (n_flagged, n_others, n_flagged + n_others), strict=False)
    ]
    return FlagCalibration(rater, n_flagged, n_others, *estimates)
