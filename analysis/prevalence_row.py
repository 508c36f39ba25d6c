"""One code by group: the row of a table of prevalence."""

from dataclasses import dataclass

import numpy as np

from analysis.chi_square import chi_square
from analysis.clusters import Groups
from analysis.cramers_v import cramers_v, v_of_shares
from analysis.gold_notes import (
    NO_GOLD_HERE,
    NO_INTERVAL,
    OUTSIDE,
    degrees_of_freedom,
    effective_in_contrast,
    gold_basis,
    gold_note,
    too_little,
    withhold_unsupported,
)
from analysis.group_means import GroupEstimates
from analysis.labelled import LabelledCorpus
from analysis.labels import Labels
from analysis.normal import cut, interval, t_test
from analysis.values import NO_TEST, Basis, Effect, Estimate, Finding, Measure, Significance, Way
from analysis.wald import wald
from analysis.words import percent, points, strength

NO_V = "Undefined: the code is found in all items or in none."
NO_CORRECTED_V = "V is undefined: corrected, a share lies outside 0 and 1, or all are 0 or 1; draw more gold."
NO_WALD = "No test: in more than one group all items have the same label, or there are too few clusters."


@dataclass(frozen=True, slots=True)
class PrevalenceRow:
    """A code: the mean of groups, each group's share and difference from it, and the tests over all groups.

    `pearson` is None for corrected labels, which are no counts.
    """

    code: str
    name: str
    mean: Finding
    shares: tuple[Finding, ...]
    differences: tuple[Finding, ...]
    pearson: Finding | None
    wald: Finding

    @property
    def findings(self) -> tuple[Finding, ...]:
        tests = (self.pearson, self.wald) if self.pearson else (self.wald,)
        return (self.mean, *self.shares, *self.differences, *tests)


class RowMaker:
    """One code on its way into the table."""

    def __init__(
        self,
        corpus: LabelledCorpus,
        code: str,
        way: Way,
        labels: Labels,
        groups: Groups,
        found: GroupEstimates,
    ) -> None:
        self._code, self._name, self._way = code, corpus.codes[code], way
        self._labels, self._groups, self._things = labels, groups, corpus.things
        self._found, self._means, self._n_clusters = found, found.means, corpus.clusters.n
        self._df = degrees_of_freedom(labels, corpus.clusters, way)
        self._gold = [np.flatnonzero(groups.places[labels.at] == at) for at in range(len(groups.names))]
        self._effective = [labels.effective_gold(places) for places in self._gold]

    def row(self) -> PrevalenceRow:
        places = range(len(self._groups.names))
        return PrevalenceRow(
            code=self._code,
            name=self._name,
            mean=self._mean(),
            shares=tuple(self._share(at) for at in places),
            differences=tuple(self._difference(at) for at in places),
            pearson=self._pearson() if self._way is Way.NAIVE else None,
            wald=self._wald(),
        )

    def _mean(self) -> Finding:
        n = len(self._means.means)
        value, error = self._means.combined(np.full((1, n), 1 / n))
        says = f"“{self._name}” is found in {percent(value[0])} of {self._things} on average over {n} groups"
        return self._make_finding(
            "", Measure.SHARE, cut(interval(value[0], error[0], self._df), high=1), says
        )

    def _share(self, at: int) -> Finding:
        estimate, where = self._found.estimates[at], self._groups.names[at]
        says = f"“{self._name}” is found in {percent(estimate.value or 0)} of {self._things} in {where}"
        return self._make_finding(where, Measure.SHARE, estimate, says, at)

    def _difference(self, at: int) -> Finding:
        weights = np.full(len(self._means.means), -1 / len(self._means.means))
        weights[at] += 1
        (value,), (error,) = self._means.combined(weights[None])
        where = self._groups.names[at]
        says = f"In {where}, “{self._name}” is found {points(value)} often than on average over the groups"
        test = t_test("t, clustered", value, error, self._df)
        estimate = interval(value, error, self._df)
        return self._make_finding(where, Measure.FROM_MEAN, estimate, says, at, test)

    def _pearson(self) -> Finding:
        found = np.rint(self._means.means * self._means.sizes)
        test = chi_square(found, self._means.sizes)
        v = cramers_v(test.statistic, len(self._labels), len(found) - 1)
        return self._make_finding("", Measure.ASSOCIATION, v, self._says_of(v.value), test=test)

    def _wald(self) -> Finding:
        test = wald(self._means, self._df)
        value = v_of_shares(self._means.means, self._means.sizes.astype(np.float64))
        v = Estimate(value, None, None)
        if test.statistic is not None and value:
            v = cramers_v(test.statistic, test.statistic / value**2, len(self._means.means) - 1)
        return self._make_finding("", Measure.ASSOCIATION, v, self._says_of(value), test=test)

    def _says_of(self, v: float | None) -> str:
        return f"“{self._name}” goes with the group {strength(v)}"

    def _make_finding(
        self,
        where: str,
        measure: Measure,
        estimate: Estimate,
        says: str,
        at: int | None = None,
        test: Significance | None = None,
    ) -> Finding:
        test = test or NO_TEST
        note = self._note(at, measure, estimate, test)
        if note == NO_GOLD_HERE:
            estimate, test = Estimate(None, None, None), Significance(test.name, None, (), None)
            says = f"How often “{self._name}” is found {f'in {where}' if where else 'in all groups'} is not known"
        effect = "Cramér's V" if measure is Measure.ASSOCIATION else measure.value
        found = Finding(
            code=self._code,
            where=where,
            measure=measure,
            way=self._way,
            basis=self._basis(at, measure),
            estimate=estimate,
            test=test,
            effect=Effect(effect, estimate.value),
            says=says,
            note=note,
            in_percent=measure is not Measure.ASSOCIATION,
            weight=self._weight(at, measure),
        )
        return withhold_unsupported(found)

    def _weight(self, at: int | None, measure: Measure) -> float | None:
        """λ of the group; of what is made of several, their mean by how much each adds to the variance."""
        if at is not None and measure is Measure.SHARE:
            return self._found.weights[at]
        known = [weight for weight in self._found.weights if weight is not None]
        shares = np.nan_to_num(np.diag(self._means.covariance))
        return float(np.average(known, weights=shares)) if known and shares.any() else None

    def _effective_of(self, at: int | None, measure: Measure) -> float:
        """What a test of all groups has is what the least known of them has."""
        n = len(self._effective)
        if measure is Measure.ASSOCIATION:
            return min(self._effective)
        if at is None:
            return effective_in_contrast([1 / n] * n, self._effective)
        if measure is Measure.FROM_MEAN:
            return effective_in_contrast([(place == at) - 1 / n for place in range(n)], self._effective)
        return self._effective[at]

    def _basis(self, at: int | None, measure: Measure) -> Basis:
        n = len(self._labels) if at is None else int(self._means.sizes[at])
        n_clusters = self._n_clusters if at is None else int(self._means.n_clusters[at])
        among = None if at is None else self._gold[at]
        return gold_basis(self._labels, self._way, n, n_clusters, among, self._effective_of(at, measure))

    def _note(self, at: int | None, measure: Measure, estimate: Estimate, test: Significance) -> str:
        over_all = at is None or measure is Measure.FROM_MEAN
        if self._way is not Way.NAIVE and over_all and not all(map(len, self._gold)):
            return NO_GOLD_HERE
        of_gold = gold_note(self._labels, self._way, None if at is None else self._gold[at])
        if of_gold == NO_GOLD_HERE:
            return of_gold
        if measure is Measure.SHARE and not 0 <= (estimate.value or 0) <= 1:
            return OUTSIDE
        if little := too_little(self._basis(at, measure)):
            return little
        if measure is Measure.ASSOCIATION:
            return self._note_of_test(estimate, test) or of_gold
        return of_gold or (NO_INTERVAL if estimate.low is None else "")

    def _note_of_test(self, estimate: Estimate, test: Significance) -> str:
        if estimate.value is None:
            return NO_V if self._way is Way.NAIVE else NO_CORRECTED_V
        return NO_WALD if test.statistic is None else ""
