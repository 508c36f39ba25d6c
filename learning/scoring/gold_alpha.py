"""Krippendorff's alpha between gold and model on a rating scale, as if the model were one more annotator.

The formula and its source are in `annotation.agreement.statistics.krippendorff_alpha`; points of a scale are taken as
an interval scale.
"""

import numpy as np

from annotation.agreement.bootstrap import Values
from annotation.agreement.notes import ONE_ANSWER
from annotation.agreement.rating_patterns import meetings_in, patterns_of
from annotation.agreement.sparse_sums import Sums
from annotation.agreement.statistics.krippendorff_alpha import krippendorff_alpha
from annotation.agreement.totals import Distances
from annotation.agreement.values import MeasurementLevel, Ratings
from learning.scoring.answer_scores import NO_ITEMS
from learning.scoring.cases import CodeCases
from learning.scoring.family import Basis
from learning.scoring.values import Metric


class GoldAlpha:
    metrics = (Metric.ALPHA,)

    def __init__(self, cases: CodeCases) -> None:
        self._cases = cases
        points = np.array(cases.code.values, dtype=np.float64)
        names = tuple(str(row) for row in cases.rows.tolist())
        answers = np.stack([points[cases.gold], points[cases.predicted]], axis=1)
        patterns = patterns_of(Ratings(names, ("gold", "model"), answers, names))
        self._distances = Distances(patterns, meetings_in(patterns), MeasurementLevel.INTERVAL)
        once = np.ones(len(cases.rows))
        self.sums: Sums = self._distances.sums.regrouped(patterns.place, cases.rows, once, cases.n_rows)

    def values(self, sums: Values) -> tuple[Values, ...]:
        return (krippendorff_alpha(self._distances.totals(sums)),)

    def basis(self, metric: Metric) -> Basis:
        n = len(self._cases.rows)
        return Basis(n, self._cases.rows, ONE_ANSWER if n else NO_ITEMS)
