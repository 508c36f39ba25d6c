"""The measures that compare answers with answers: all are made of one table of gold by model."""

import numpy as np

from annotation.agreement.bootstrap import Values
from annotation.agreement.sparse_sums import Sums, sums_of
from codebook.schema import AnswerKind
from learning.scoring.absolute_error import absolute_error
from learning.scoring.accuracy import accuracy
from learning.scoring.cases import CodeCases
from learning.scoring.family import Basis
from learning.scoring.macro_f1 import GOLD_HAS_ONE, macro_f1
from learning.scoring.precision_recall import NOTHING_FOUND, NOTHING_TO_FIND, f1, precision, recall
from learning.scoring.quadratic_kappa import ONE_ANSWER, quadratic_kappa
from learning.scoring.values import Metric

NO_ITEMS = "Undefined: no item has both a label and a prediction."
_FINDING = (Metric.PRECISION, Metric.RECALL, Metric.F1)
_BY_ANSWER = {
    AnswerKind.TICK: (*_FINDING, Metric.ACCURACY, Metric.MACRO_F1),
    AnswerKind.LEVELS: (*_FINDING, Metric.ACCURACY, Metric.MACRO_F1, Metric.QUADRATIC_KAPPA),
    AnswerKind.SCALE: (Metric.ABSOLUTE_ERROR,),
    AnswerKind.SENTENCES: _FINDING,
}
_REASONS = {
    Metric.PRECISION: NOTHING_FOUND,
    Metric.RECALL: NOTHING_TO_FIND,
    Metric.F1: NOTHING_TO_FIND,
    Metric.MACRO_F1: GOLD_HAS_ONE,
    Metric.QUADRATIC_KAPPA: ONE_ANSWER,
}


class AnswerScores:
    def __init__(self, cases: CodeCases) -> None:
        self._cases, self._n_values = cases, len(cases.code.values)
        self._present = np.isin(cases.code.values, cases.code.present)
        self.metrics = tuple(
            metric
            for metric in _BY_ANSWER[cases.code.answer]
            if cases.can_be_absent or metric not in _FINDING
        )
        cells = cases.gold * self._n_values + cases.predicted
        self.sums: Sums = sums_of(cases.n_rows, self._n_values**2, (cases.rows, cells, 1))

    def values(self, sums: Values) -> tuple[Values, ...]:
        confusion = sums.reshape(len(sums), self._n_values, self._n_values)
        return tuple(self._value(metric, confusion) for metric in self.metrics)

    def _value(self, metric: Metric, confusion: Values) -> Values:
        there, absent = self._present, ~self._present
        both, model_alone, gold_alone = (
            confusion[:, gold][:, :, model].sum(axis=(1, 2))
            for gold, model in ((there, there), (absent, there), (there, absent))
        )
        match metric:
            case Metric.PRECISION:
                return precision(both, model_alone)
            case Metric.RECALL:
                return recall(both, gold_alone)
            case Metric.F1:
                return f1(both, model_alone, gold_alone)
            case Metric.ACCURACY:
                return accuracy(confusion)
            case Metric.MACRO_F1:
                return macro_f1(confusion)
            case Metric.QUADRATIC_KAPPA:
                return quadratic_kappa(confusion)
            case _:
                return absolute_error(confusion)

    def basis(self, metric: Metric) -> Basis:
        n = len(self._cases.rows)
        reason = _REASONS.get(metric, NO_ITEMS) if n else NO_ITEMS
        return Basis(
            n, self._cases.rows, reason, self._describe_unused() if metric is Metric.MACRO_F1 else ""
        )

    def _describe_unused(self) -> str:
        """Answers that macro-F1 leaves out or counts as 0 without gold; nothing where it has no value."""
        gold, predicted = set(self._cases.gold.tolist()), set(self._cases.predicted.tolist())
        if len(gold) < 2:
            return ""
        values = self._cases.code.values
        nowhere = [str(value) for at, value in enumerate(values) if at not in gold | predicted]
        invented = [str(value) for at, value in enumerate(values) if at in predicted - gold]
        notes = []
        if nowhere:
            notes.append(f"Left out, because nobody gives it: answer {', '.join(nowhere)}.")
        if invented:
            notes.append(f"Counted as 0, because gold never gives it: answer {', '.join(invented)}.")
        return " ".join(notes)
