"""Precision, recall and F1 with each sentence as a unit, for codes that are answered by marking sentences.

A sentence counts as found by both if the model marks exactly its place: gold and model mark whole sentences as
`annotation.sentences` cuts them. Sentences that nobody marks count nowhere. The formulas are in `precision_recall`.
"""

import numpy as np

from annotation.agreement.bootstrap import Values
from annotation.agreement.sparse_sums import Sums, sums_of
from learning.scoring.cases import Case, CodeCases
from learning.scoring.family import Basis
from learning.scoring.precision_recall import f1, precision, recall
from learning.scoring.values import Metric

NO_SENTENCE_FOUND = "Undefined: the model marks no sentence."
NO_SENTENCE_TO_FIND = "Undefined: gold marks no sentence."


class SentenceScores:
    metrics = (Metric.SENTENCE_PRECISION, Metric.SENTENCE_RECALL, Metric.SENTENCE_F1)

    def __init__(self, cases: CodeCases) -> None:
        self._cases = cases
        counts = np.array([_counts(case) for case in cases.cases], dtype=np.int64).reshape(-1, 3)
        self._n = counts.sum(axis=0)
        columns = ((cases.rows, column, counts[:, column]) for column in range(3))
        self.sums: Sums = sums_of(cases.n_rows, 3, *columns)

    def values(self, sums: Values) -> tuple[Values, ...]:
        both, model_alone, gold_alone = sums.T
        return precision(both, model_alone), recall(both, gold_alone), f1(both, model_alone, gold_alone)

    def basis(self, metric: Metric) -> Basis:
        """`n` counts the sentences that somebody marked."""
        lacks_model = metric is Metric.SENTENCE_PRECISION
        reason = NO_SENTENCE_FOUND if lacks_model else NO_SENTENCE_TO_FIND
        return Basis(int(self._n.sum()), self._cases.rows, reason)


def _counts(case: Case) -> tuple[int, int, int]:
    """How many sentences both mark, the model alone and gold alone."""
    gold = {(place.part, place.start, place.end) for place in case.label.evidence.snippets}
    model = {(place.part, place.start, place.end) for place in case.prediction.spans}
    return len(gold & model), len(model - gold), len(gold - model)
