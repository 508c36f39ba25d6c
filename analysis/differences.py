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
    degrees_of_freedom,
    gold_note,
    lacks_gold,
    withhold_unsupported,
)
from analysis.label_difference import NOT_POSITIVE, TOO_FEW, LabelDifference, label_difference
from analysis.labelled import LabelledCorpus
from analysis.labels import Labels, Surrogate, check_gold, ticks_here
from analysis.multiple_testing import adjust_p_values
from analysis.normal import interval, t_test
from analysis.outcomes import Outcome, WithOutcome, with_outcome
from analysis.values import Effect, Estimate, Finding, Measure, Significance, Way
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
    corpus: LabelledCorpus,
    *,
    outcome: Outcome,
    way: Way,
    by: str = "community",
    surrogate: Surrogate = Surrogate.DECISION,
) -> DifferenceTable:
    """p-values are adjusted over all codes and communities, Welch's and clustered ones apart."""
    check_gold(corpus, way)
    known = with_outcome(corpus, outcome)
    rows, communities = [], []
    for where, at in _parts(known, by):
        communities.append(where)
        for code in corpus.codes:
            labels = ticks_here(at.corpus, code, way, surrogate=surrogate)
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
        self._found = None
        if not lacks_gold(labels, way):
            self._found = label_difference(labels.pseudo_outcomes(), known.values, known.corpus.clusters)

    def row(self) -> DifferenceRow:
        pair = self._welch() if self._way is Way.NAIVE else None
        return DifferenceRow(self._code, self._name, self._where, pair, self._clustered())

    def _welch(self) -> Finding:
        if self._found is None:
            return self._undefined("Welch t")
        estimate, test = welch(self._found.having, self._found.lacking)
        note = NO_SPREAD if lacks_spread(self._found.having, self._found.lacking) else ""
        return self._finding(self._found, estimate, test, note)

    def _clustered(self) -> Finding:
        if self._found is None:
            return self._undefined(CLUSTERED)
        df = degrees_of_freedom(self._labels, self._corpus.clusters, self._way)
        value, error = self._found.value, self._found.error
        note = gold_note(self._labels, self._way)
        return self._finding(
            self._found, interval(value, error, df), t_test(CLUSTERED, value, error, df), note
        )

    def _undefined(self, test: str) -> Finding:
        note = TOO_FEW if self._way is Way.NAIVE else NOT_POSITIVE
        if lacks_gold(self._labels, self._way):
            note = NO_GOLD_HERE
        says = f"In {self._where}, {self._corpus.things} with and without “{self._name}” cannot be compared"
        return self._made(
            Estimate(None, None, None),
            Significance(test, None, (), None),
            Effect("Cohen's d", None),
            says,
            note,
        )

    def _finding(self, found: LabelDifference, estimate: Estimate, test: Significance, note: str) -> Finding:
        said = self._outcome.difference_in_words(found.value)
        says = f"In {self._where}, {self._corpus.things} with “{self._name}” {said} than those without"
        return self._made(
            estimate, test, Effect("Cohen's d", cohens_d(found.having, found.lacking)), says, note
        )

    def _made(self, estimate: Estimate, test: Significance, effect: Effect, says: str, note: str) -> Finding:
        basis = basis_of(self._labels, self._corpus.clusters, self._way)
        about = (self._code, self._where, Measure.DIFFERENCE, self._way, basis)
        return withhold_unsupported(
            Finding(*about, estimate, test, effect, says, note, in_percent=self._outcome.is_share)
        )


def _adjust(rows: Sequence[DifferenceRow]) -> tuple[DifferenceRow, ...]:
    pairs = iter(adjust_p_values([row.welch for row in rows if row.welch]))
    clustered = adjust_p_values([row.clustered for row in rows])
    return tuple(
        replace(row, welch=next(pairs) if row.welch else None, clustered=one)
        for row, one in zip(rows, clustered, strict=True)
    )
