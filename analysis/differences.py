"""How replies, answers and acceptance differ between items with a code and without, community by community.

Beside Welch's t-test with Cohen's d, as is usual, stands the same difference with clustered errors
(`label_difference`), which also holds for replies to one post and for corrected labels. Both compare items as they
are: that longer posts or busier years may lie behind a difference is for `regressions`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from analysis.cohens_d import cohens_d
from analysis.gold_notes import (
    NO_GOLD_HERE,
    basis_of,
    gold_note,
    lacks_gold,
    withhold_unsupported,
)
from analysis.label_difference import TOO_FEW, TOO_FEW_IN_GOLD, LabelDifference, label_difference
from analysis.labelled import LabelledCorpus
from analysis.labels import Labels, check_gold, ticks_here
from analysis.multiple_testing import adjust_p_values
from analysis.normal import interval, t_test
from analysis.outcomes import Outcome, WithOutcome, with_outcome
from analysis.three_ways import Estimator, Fit, ask
from analysis.values import Effect, Estimate, Finding, Measure, Places, Significance, Values, Way
from analysis.welch import NO_SPREAD, lacks_spread, welch

CLUSTERED = "t, clustered"


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """A code in a community; `welch` is None for corrected labels, which no item has for certain."""

    code: str
    name: str
    where: str
    welch: Finding | None
    clustered: Finding


@dataclass(frozen=True, slots=True)
class DifferenceTable:
    outcome: Outcome
    way: Way
    things: str
    n: int
    communities: tuple[str, ...]
    rows: tuple[DifferenceRow, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(found for row in self.rows for found in (row.welch, row.clustered) if found)


def differences(
    corpus: LabelledCorpus, *, outcome: Outcome, way: Way, by: str = "community"
) -> DifferenceTable:
    """p-values are adjusted over all codes and communities, Welch's and clustered ones apart."""
    check_gold(corpus, way)
    known = with_outcome(corpus, outcome)
    rows, communities = [], []
    for where, at in _parts(known, by):
        communities.append(where)
        for code in corpus.codes:
            labels = ticks_here(at.corpus, code, way)
            rows.append(_Cell(at, outcome, code, where, way, labels).row())
    return DifferenceTable(outcome, way, corpus.things, len(known.corpus), tuple(communities), _adjust(rows))


def _parts(known: WithOutcome, by: str) -> Iterator[tuple[str, WithOutcome]]:
    groups = known.corpus.groups(by)
    for at, name in enumerate(groups.names):
        inside = groups.places == at
        yield name, WithOutcome(known.corpus.where(inside), known.values[inside], 0)


class _Cell:
    """One code in one community."""

    def __init__(
        self, known: WithOutcome, outcome: Outcome, code: str, where: str, way: Way, labels: Labels
    ) -> None:
        self._corpus, self._outcome, self._code, self._where = known.corpus, outcome, code, where
        self._way, self._labels = way, labels
        self._name = known.corpus.codes[code]
        self._found, self._answer = None, None
        if not lacks_gold(labels, way):
            self._found = self._difference_of_items(known.values)
            self._answer = ask(self._estimator(known.values), [labels], known.corpus.clusters, way)

    def _difference_of_items(self, outcome: Values) -> LabelDifference | None:
        """As the model has them, or gold, whose spread is that of the corpus."""
        labels = self._labels
        if self._way is Way.NAIVE:
            return label_difference(labels.model, outcome)
        return label_difference(labels.gold, outcome[labels.at], labels.weight)

    def _estimator(self, outcome: Values) -> Estimator:
        def estimate(label: Sequence[Values], weight: Values, at: Places | slice) -> Fit | None:
            found = label_difference(label[0], outcome[at], weight)
            return Fit(found.value, found.moved) if found else None

        return estimate

    def row(self) -> DifferenceRow:
        pair = self._welch() if self._way is Way.NAIVE else None
        return DifferenceRow(self._code, self._name, self._where, pair, self._clustered())

    def _welch(self) -> Finding:
        if self._found is None:
            return self._undefined("Welch t")
        estimate, test = welch(self._found.having, self._found.lacking)
        note = NO_SPREAD if lacks_spread(self._found.having, self._found.lacking) else ""
        return self._finding(self._found, self._found.value, estimate, test, note)

    def _clustered(self) -> Finding:
        if self._found is None or self._answer is None:
            return self._undefined(CLUSTERED)
        numbers = self._answer.value, self._answer.error, self._answer.df
        estimate, test = interval(*numbers), t_test(CLUSTERED, *numbers)
        note = gold_note(self._labels, self._way)
        return self._finding(self._found, self._answer.value, estimate, test, note)

    def _undefined(self, test: str) -> Finding:
        note = TOO_FEW if self._way is Way.NAIVE else TOO_FEW_IN_GOLD
        if lacks_gold(self._labels, self._way):
            note = NO_GOLD_HERE
        says = f"In {self._where}, {self._corpus.things} with and without “{self._name}” cannot be compared"
        return self._make_finding(
            Estimate(None, None, None),
            Significance(test, None, (), None),
            Effect("Cohen's d", None),
            says,
            note,
        )

    def _finding(
        self, found: LabelDifference, value: float, estimate: Estimate, test: Significance, note: str
    ) -> Finding:
        said = self._outcome.difference_in_words(value)
        says = f"In {self._where}, {self._corpus.things} with “{self._name}” {said} than those without"
        effect = Effect("Cohen's d", cohens_d(found.having, found.lacking, value))
        return self._make_finding(estimate, test, effect, says, note)

    def _make_finding(
        self, estimate: Estimate, test: Significance, effect: Effect, says: str, note: str
    ) -> Finding:
        basis = basis_of(self._labels, self._corpus.clusters, self._way)
        about = (self._code, self._where, Measure.DIFFERENCE, self._way, basis)
        return withhold_unsupported(
            Finding(
                *about,
                estimate,
                test,
                effect,
                says,
                note,
                in_percent=self._outcome.is_share,
                weight=self._answer.weight if self._answer else None,
            )
        )


def _adjust(rows: Sequence[DifferenceRow]) -> tuple[DifferenceRow, ...]:
    pairs = iter(adjust_p_values([row.welch for row in rows if row.welch]))
    clustered = adjust_p_values([row.clustered for row in rows])
    return tuple(
        replace(row, welch=next(pairs) if row.welch else None, clustered=one)
        for row, one in zip(rows, clustered, strict=True)
    )
