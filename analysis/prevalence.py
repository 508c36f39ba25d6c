"""How often each code is found, by platform, topic or community, and whether groups differ.

The mean is that of the groups' shares, each group counting the same, and each group is set against it:

    θ̄ = Σ_g θ_g / G,        δ_g = θ_g - θ̄

Shares and differences have clustered errors (`clustered_errors`), and the groups are tested together: by Pearson's χ²
with Cramér's V on naive labels, as is usual, and by Wald's test, which also holds for replies to one post and for
corrected labels.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from analysis.group_means import MeansByGroup
from analysis.labelled import LabelledCorpus
from analysis.labels import ticks_of
from analysis.multiple_testing import adjust_p_values
from analysis.prevalence_row import PrevalenceRow, RowMaker
from analysis.values import Finding, Way


@dataclass(frozen=True, slots=True)
class PrevalenceTable:
    by: str
    groups: tuple[str, ...]
    way: Way
    things: str
    n: int
    rows: tuple[PrevalenceRow, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(found for row in self.rows for found in row.findings)


def prevalence(corpus: LabelledCorpus, *, by: str, way: Way) -> PrevalenceTable:
    """`by` is a column such as platform, topic or community; p-values are adjusted over codes, test by test."""
    groups = corpus.groups(by)
    by_group = MeansByGroup(groups, corpus.clusters)
    rows = []
    for code in corpus.codes:
        labels = ticks_of(corpus, code, way)
        rows.append(RowMaker(corpus, code, way, labels, groups, by_group.of(labels, way)).row())
    return PrevalenceTable(by, groups.names, way, corpus.things, len(corpus), _adjust(rows))


def _adjust(rows: Sequence[PrevalenceRow]) -> tuple[PrevalenceRow, ...]:
    differences = iter(adjust_p_values([found for row in rows for found in row.differences]))
    pearson = iter(adjust_p_values([row.pearson for row in rows if row.pearson]))
    walds = adjust_p_values([row.wald for row in rows])
    return tuple(
        replace(
            row,
            differences=tuple(next(differences) for _ in row.differences),
            pearson=next(pearson) if row.pearson else None,
            wald=one,
        )
        for row, one in zip(rows, walds, strict=True)
    )
