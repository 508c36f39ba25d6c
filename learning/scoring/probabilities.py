"""The items of a code for which the model gave a probability, as the measures on probabilities need them."""

import numpy as np

from learning.scoring.cases import CodeCases
from learning.scoring.family import Basis

NO_PROBABILITIES = "Undefined: the model gives no probabilities for this code."


class ProbableCases:
    """`probability[i]` is that of the code being found in item `rows[i]`, and `found[i]` is 1 where gold finds it."""

    def __init__(self, cases: CodeCases) -> None:
        given = ~np.isnan(cases.probability)
        self.rows = cases.rows[given]
        self.probability = cases.probability[given]
        self.found = cases.gold_finds[given].astype(np.float64)
        self._n_missing = int((~given).sum())

    def basis(self, reason: str) -> Basis:
        n = len(self.rows)
        note = ""
        if n and self._n_missing:
            note = f"{self._n_missing:,} predictions come without probabilities and are left out."
        return Basis(n, self.rows, reason if n else NO_PROBABILITIES, note)
