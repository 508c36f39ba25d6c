"""A model's probabilities beside the shares of annotators, on releases that carry soft labels."""

import numpy as np

from annotation.agreement.bootstrap import Values
from codebook.schema import AnswerKind
from learning.scoring.cases import NO_PROBABILITIES, CodeCases
from learning.scoring.family import Basis

# Shares of one annotator are only that annotator's answer
LEAST_ANNOTATORS = 2
NOT_SHARED = "Undefined: no item with probabilities was judged by two annotators."


def has_shares(cases: CodeCases) -> bool:
    """Whether the release carries soft labels of the code, and a distribution is what is asked."""
    asked = cases.code.answer is not AnswerKind.SENTENCES
    return asked and any(case.label.shares for case in cases.cases)


class SharedCases:
    """`shares[i]` and `probabilities[i]` are of the answers to item `rows[i]`, in the order of the codebook's values;
    items of one annotator, and those without probabilities, are left out."""

    def __init__(self, cases: CodeCases) -> None:
        found = [
            (row, case)
            for row, case in zip(cases.rows.tolist(), cases.cases, strict=True)
            if case.label.n_annotators >= LEAST_ANNOTATORS
            and case.label.shares
            and case.prediction.probabilities
        ]
        values = cases.code.values
        self.rows = np.array([row for row, _ in found], dtype=np.int64)
        self.shares = _table([dict(case.label.shares) for _, case in found], values)
        self.probabilities = _table([dict(case.prediction.probabilities) for _, case in found], values)
        self._n_left = len(cases.rows) - len(found)
        self._gives_none = not any(case.prediction.probabilities for case in cases.cases)

    def basis(self) -> Basis:
        n, note = len(self.rows), ""
        if n and self._n_left:
            note = f"{self._n_left:,} items of one annotator, or without probabilities, are left out."
        return Basis(n, self.rows, NO_PROBABILITIES if self._gives_none else NOT_SHARED, note)


def _table(found: list[dict[int, float]], values: tuple[int, ...]) -> Values:
    """Each row sums to 1, also where a file of predictions was rounded."""
    table = np.array([[each.get(value, 0.0) for value in values] for each in found], dtype=np.float64)
    if not len(table):
        return np.zeros((0, len(values)))
    return np.asarray(table / table.sum(axis=1, keepdims=True))
