"""Means over codes, whose intervals come from the same resamples of items for all codes."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from annotation.agreement.bootstrap import Values
from annotation.agreement.independent_units import IndependentUnits
from annotation.agreement.measure import Resampled, in_order, pair_estimate
from annotation.agreement.notes import estimate
from annotation.agreement.registry import statistic_names
from annotation.agreement.reports import MeanAgreement
from annotation.agreement.totals import mean_of_defined
from annotation.agreement.values import Estimate, PairEstimate, RatingsAgreement
from codebook.schema import Part

_NO_CODE = "Undefined: it is undefined for every code."


def mean_estimate(
    values: Sequence[Values], estimates: Sequence[Estimate], n_units: Sequence[int]
) -> Estimate:
    """The mean over codes; those without a value are left out, which the note tells. `n_units` are by code."""
    by_code = np.stack(values, axis=-1)
    n_items = max(each.n_items for each in estimates)
    return estimate(
        mean_of_defined(by_code),
        n_items=n_items,
        n_raters=max(each.n_raters for each in estimates),
        n_units=most_units(by_code, n_units),
        note=left_out_note(by_code),
        reason=_NO_CODE,
    )


def most_units(by_code: Values, n_units: Sequence[int]) -> int:
    """The posts behind a mean: as many as behind the code that has most, of those that have a value."""
    return max((n for value, n in zip(by_code[0], n_units, strict=True) if not np.isnan(value)), default=0)


def left_out_note(by_code: Values) -> str:
    undefined, n = int(np.isnan(by_code[0]).sum()), by_code.shape[-1]
    if undefined in (0, n):
        return ""
    return f"Undefined for {undefined} of {n} codes; the mean is over the others."


def mean_agreement(
    part: Part | None, found: Sequence[Resampled], ratings: Sequence[RatingsAgreement]
) -> MeanAgreement:
    """The mean of each statistic over the given codes."""
    means = {
        name: mean_estimate(
            [each.by_statistic[name] for each in found],
            [each[name] for each in ratings],
            [each.n_units for each in ratings],
        )
        for name in statistic_names()
    }
    return MeanAgreement(part=part, n_codes=len(found), estimates=means)


def pair_means(
    raters: Sequence[str], found: Sequence[Resampled], behind: Sequence[IndependentUnits]
) -> tuple[PairEstimate, ...]:
    """For each pair of raters, the means over all codes; `behind` are the posts behind each code."""
    pairs = []
    for at, pair in enumerate(combinations(raters, 2)):
        kappa = np.stack([each.pair_kappa[:, at] for each in found], axis=-1)
        n_units = [int(each.by_pair[at]) for each in behind]
        agreement = np.stack([each.pair_agreement[:, at] for each in found], axis=-1)
        pairs.append(
            pair_estimate(
                pair,
                mean_of_defined(kappa),
                mean_of_defined(agreement),
                n_items=int(max(each.pair_items[0, at] for each in found)),
                n_units=(most_units(kappa, n_units), most_units(agreement, n_units)),
                note=left_out_note(kappa),
            )
        )
    return in_order(pairs)
