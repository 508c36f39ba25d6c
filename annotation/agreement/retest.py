"""Test–retest: how far an annotator who sees an item again judges it as before.

First and second answers are two raters of the same items, so that Cohen's kappa and raw agreement apply. An item that
several annotators did twice is drawn with all of them, and with the other items of its post.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.bayesian_bootstrap import resample_posterior
from annotation.agreement.bootstrap import (
    DrawnUnits,
    Job,
    Values,
    clusters_as_units,
    resampling_units,
)
from annotation.agreement.independent_units import independent_units
from annotation.agreement.means import left_out_note, most_units
from annotation.agreement.measure import RatingsJob, Resampled
from annotation.agreement.notes import ONE_ANSWER, estimate, nothing_shared
from annotation.agreement.rating_patterns import Patterns, patterns_of
from annotation.agreement.ratings import RatingsUnusable, ratings_table
from annotation.agreement.registry import method_version
from annotation.agreement.reports import (
    CodeRetest,
    RaterRetest,
    Retest,
    RetestAgreement,
    RetestEstimate,
    RetestJudgments,
    retests_in_order,
)
from annotation.agreement.totals import mean_of_defined
from annotation.agreement.unseen_items import unseen_size
from annotation.agreement.values import JudgedCode, MeasurementLevel


@dataclass(frozen=True, slots=True, eq=False)
class _Measured:
    """Kappa and raw agreement, the value first and then its resamples, and the posts behind each."""

    kappa: Values
    agreement: Values
    n_items: int
    n_units: tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """Retests with the places of their posts."""

    retests: list[Retest]
    clusters: NDArray[np.int64]


def measure_retest(judgments: RetestJudgments, *, resamples: int = 1000, seed: int) -> RetestAgreement:
    """Per code and over the codes, for all annotators together and for each."""
    _check(judgments)
    judgments = retests_in_order(judgments)
    raters = sorted({retest.before.rater for retest in judgments.retests})
    groups = _groups(judgments, raters)
    drawn = resampling_units(len({item.cluster for item in judgments.items}), seed=seed)
    tables = [(_patterns(code, group), group.clusters) for code in judgments.codes for group in groups]
    jobs: list[Job] = [_job(patterns, clusters, drawn) for patterns, clusters in tables]
    arrays = resample_posterior(jobs, drawn.counts, resamples=resamples, seed=seed)
    behind = (independent_units(patterns, clusters).paired for patterns, clusters in tables)
    found = map(_estimate, arrays, behind)
    by_code = [[next(found) for _ in groups] for _ in judgments.codes]
    overall = [_mean([own[at] for own in by_code]) for at in range(len(groups))]
    return RetestAgreement(
        n_items=len({each.before.item_id for each in judgments.retests}),
        codes=tuple(
            _code_retest(code, own, raters, judgments.retests)
            for code, own in zip(judgments.codes, by_code, strict=True)
        ),
        mean=overall[0],
        raters=tuple(map(RaterRetest, raters, overall[1:])),
        resamples=resamples,
        seed=seed,
        method=method_version(),
    )


def _groups(judgments: RetestJudgments, raters: Sequence[str]) -> list[_Group]:
    """What everybody did twice, and then what each annotator did."""
    clusters = {item.item_id: item.cluster for item in judgments.items}
    places = {cluster: at for at, cluster in enumerate(dict.fromkeys(clusters.values()))}
    chosen = [list(judgments.retests)]
    chosen += [[each for each in judgments.retests if each.before.rater == rater] for rater in raters]
    return [
        _Group(own, np.array([places[clusters[each.before.item_id]] for each in own], dtype=np.int64))
        for own in chosen
    ]


def _check(judgments: RetestJudgments) -> None:
    known = {item.item_id for item in judgments.items}
    for retest in judgments.retests:
        one, other = retest.before, retest.after
        if (one.item_id, one.rater) != (other.item_id, other.rater):
            raise RatingsUnusable(
                f"{one.rater} on {one.item_id} is set beside {other.rater} on {other.item_id}."
            )
        if one.item_id not in known:
            raise RatingsUnusable(f"{one.item_id} was answered twice but is none of the items.")


def _patterns(code: JudgedCode, group: _Group) -> Patterns:
    rows = [[each.values.get(code.code_id) for each in (own.before, own.after)] for own in group.retests]
    return patterns_of(ratings_table(rows, raters=["first", "second"]))


def _job(patterns: Patterns, clusters: NDArray[np.int64], drawn: DrawnUnits) -> RatingsJob:
    units = clusters_as_units(patterns.place, drawn.places[clusters], drawn.n)
    return RatingsJob(patterns, units, MeasurementLevel.NOMINAL, size=unseen_size(patterns, clusters))


def _estimate(arrays: tuple[Values, ...], n_units: int) -> _Measured:
    found = Resampled.of(arrays)
    n_items = int(found.pair_items[0, 0])
    return _Measured(found.pair_kappa[:, 0], found.pair_agreement[:, 0], n_items, (n_units, n_units))


def _retest_estimate(measured: _Measured, note: str = "") -> RetestEstimate:
    reason = ONE_ANSWER if measured.n_items else nothing_shared()
    kappa, agreement = (
        estimate(values, n_items=measured.n_items, n_raters=2, n_units=n, note=note, reason=reason)
        for values, n in zip((measured.kappa, measured.agreement), measured.n_units, strict=True)
    )
    return RetestEstimate(kappa, agreement)


def _mean(by_code: Sequence[_Measured]) -> RetestEstimate:
    if not by_code:
        nothing = np.array([np.nan])
        return _retest_estimate(_Measured(nothing, nothing, 0, (0, 0)))
    kappa = np.stack([each.kappa for each in by_code], axis=-1)
    agreement = np.stack([each.agreement for each in by_code], axis=-1)
    n_items = max(each.n_items for each in by_code)
    behind = [each.n_units[0] for each in by_code]
    n_units = most_units(kappa, behind), most_units(agreement, behind)
    means = _Measured(mean_of_defined(kappa), mean_of_defined(agreement), n_items, n_units)
    return _retest_estimate(means, left_out_note(kappa))


def _code_retest(
    code: JudgedCode,
    measured: Sequence[_Measured],
    raters: Sequence[str],
    retests: Sequence[Retest],
) -> CodeRetest:
    estimates = [_retest_estimate(each) for each in measured]
    changed = {
        retest.before.item_id
        for retest in retests
        if code.code_id in retest.before.values
        and code.code_id in retest.after.values
        and retest.before.values[code.code_id] != retest.after.values[code.code_id]
    }
    return CodeRetest(
        code_id=code.code_id,
        part=code.part,
        answer=code.answer,
        pooled=estimates[0],
        raters=tuple(map(RaterRetest, raters, estimates[1:])),
        changed=tuple(sorted(changed)),
    )
