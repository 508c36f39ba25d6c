"""Test–retest: how far an annotator who sees an item again judges it as before.

First and second answers are two raters of the same items, so that Cohen's kappa and raw agreement apply. An item that
several annotators did twice is drawn with all of them, and with the other items of its post.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from annotation.agreement.cohen import mean_of_defined
from annotation.agreement.means import left_out_note
from annotation.agreement.notes import NOTHING_SHARED, ONE_ANSWER, estimate
from annotation.agreement.ordering import retests_in_order
from annotation.agreement.patterns import patterns_of
from annotation.agreement.ratings import RatingsUnusable, ratings_table
from annotation.agreement.reports import (
    CodeRetest,
    RaterRetest,
    Retest,
    RetestAgreement,
    RetestEstimate,
    RetestJudgments,
)
from annotation.agreement.resampling import Job, Values, clusters_as_units, resampled
from annotation.agreement.sampled import RatingsJob, sampled
from annotation.agreement.values import JudgedCode, MeasurementLevel


@dataclass(frozen=True, slots=True, eq=False)
class _Measured:
    """Kappa and raw agreement, the value first and then its resamples."""

    kappa: Values
    agreement: Values
    n_items: int


@dataclass(frozen=True, slots=True)
class _Group:
    """Retests with the places of their posts."""

    retests: list[Retest]
    clusters: list[int]


def measure_retest(judgments: RetestJudgments, *, resamples: int = 1000, seed: int) -> RetestAgreement:
    """Per code and over the codes, for all annotators together and for each."""
    _check(judgments)
    judgments = retests_in_order(judgments)
    raters = sorted({retest.before.rater for retest in judgments.retests})
    groups = _groups(judgments, raters)
    counts = np.ones(len({item.cluster for item in judgments.items}), dtype=np.int64)
    jobs: list[Job] = [_job(code, group, len(counts)) for code in judgments.codes for group in groups]
    found = map(_measured, resampled(jobs, counts, resamples=resamples, seed=seed))
    by_code = [[next(found) for _ in groups] for _ in judgments.codes]
    n_units = [len(set(group.clusters)) for group in groups]
    overall = [_mean([own[at] for own in by_code], n) for at, n in enumerate(n_units)]
    return RetestAgreement(
        n_items=len({each.before.item_id for each in judgments.retests}),
        codes=tuple(
            _code_retest(code, own, raters, n_units, judgments.retests)
            for code, own in zip(judgments.codes, by_code, strict=True)
        ),
        mean=overall[0],
        raters=tuple(map(RaterRetest, raters, overall[1:])),
        resamples=resamples,
        seed=seed,
    )


def _groups(judgments: RetestJudgments, raters: Sequence[str]) -> list[_Group]:
    """What everybody did twice, and then what each annotator did."""
    clusters = {item.item_id: item.cluster for item in judgments.items}
    places = {cluster: at for at, cluster in enumerate(dict.fromkeys(clusters.values()))}
    chosen = [list(judgments.retests)]
    chosen += [[each for each in judgments.retests if each.before.rater == rater] for rater in raters]
    return [_Group(own, [places[clusters[each.before.item_id]] for each in own]) for own in chosen]


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


def _job(code: JudgedCode, group: _Group, n_clusters: int) -> RatingsJob:
    rows = [[each.values.get(code.code_id) for each in (own.before, own.after)] for own in group.retests]
    patterns = patterns_of(ratings_table(rows, raters=["first", "second"]))
    clusters = np.array(group.clusters, dtype=np.int64)
    return RatingsJob(
        patterns, clusters_as_units(patterns.place, clusters, n_clusters), MeasurementLevel.NOMINAL
    )


def _measured(arrays: tuple[Values, ...]) -> _Measured:
    found = sampled(arrays)
    return _Measured(found.pair_kappa[:, 0], found.pair_agreement[:, 0], int(found.pair_items[0, 0]))


def _retest_estimate(measured: _Measured, n_units: int, note: str = "") -> RetestEstimate:
    reason = ONE_ANSWER if measured.n_items else NOTHING_SHARED
    kappa, agreement = (
        estimate(values, n_items=measured.n_items, n_raters=2, n_units=n_units, note=note, reason=reason)
        for values in (measured.kappa, measured.agreement)
    )
    return RetestEstimate(kappa, agreement)


def _mean(by_code: Sequence[_Measured], n_units: int) -> RetestEstimate:
    if not by_code:
        nothing = np.array([np.nan])
        return _retest_estimate(_Measured(nothing, nothing, 0), n_units)
    kappa = np.stack([each.kappa for each in by_code], axis=-1)
    agreement = np.stack([each.agreement for each in by_code], axis=-1)
    n_items = max(each.n_items for each in by_code)
    means = _Measured(mean_of_defined(kappa), mean_of_defined(agreement), n_items)
    return _retest_estimate(means, n_units, left_out_note(kappa))


def _code_retest(
    code: JudgedCode,
    measured: Sequence[_Measured],
    raters: Sequence[str],
    n_units: Sequence[int],
    retests: Sequence[Retest],
) -> CodeRetest:
    estimates = [_retest_estimate(each, n) for each, n in zip(measured, n_units, strict=True)]
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
