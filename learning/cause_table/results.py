"""What the cells say together: means over seeds, and how far the first variant is ahead of each other one.

A difference is that of two means over seeds, on the same resamples of posts (`learning.scoring.paired_bootstrap`), so
that chance of which posts there are is in its interval and chance of training is averaged out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

import numpy as np
from numpy.typing import NDArray

from annotation.release.rows import ReleaseRow, SplitPart
from codebook.schema import AnswerKind, Codebook
from learning.cause_table.cells import CellAnswer
from learning.cause_table.variants import Variant
from learning.scoring.cases import by_item, gold_of
from learning.scoring.evaluate import resampled_scores, works_of
from learning.scoring.paired_bootstrap import difference
from learning.scoring.sentence_scores import NO_SENTENCE_TO_FIND
from learning.scoring.values import Difference, Metric

PRECISION, RECALL, F1, ACCURACY, AUC = "precision", "recall", "f1", "accuracy", "roc_auc"
COLUMNS = (PRECISION, RECALL, F1, ACCURACY, AUC)
_SAMPLED = {
    PRECISION: Metric.SENTENCE_PRECISION,
    RECALL: Metric.SENTENCE_RECALL,
    F1: Metric.SENTENCE_F1,
}
Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Measured:
    """A value for each seed, None where it is not defined."""

    values: tuple[float | None, ...]

    @property
    def _defined(self) -> list[float]:
        return [each for each in self.values if each is not None]

    @property
    def mean(self) -> float | None:
        """Of the seeds where it is defined."""
        return fmean(self._defined) if self._defined else None

    @property
    def sd(self) -> float | None:
        return stdev(self._defined) if len(self._defined) > 1 else None


@dataclass(frozen=True, slots=True)
class TableRow:
    """`ahead` is how far the first row is ahead in F1; the first has none."""

    code: str
    variant: Variant
    scores: Mapping[str, Measured]
    ahead: Difference | None


def table_rows(
    release_rows: Sequence[ReleaseRow],
    codebook: Codebook,
    answers: Sequence[tuple[Variant, Sequence[CellAnswer]]],
    *,
    resamples: int,
    seed: int,
) -> tuple[TableRow, ...]:
    """By code, then in the order of the variants, each with an answer for each seed."""
    gold = gold_of(release_rows, SplitPart.TEST)
    works = [
        works_of(gold, by_item(each.predictions), codebook) for _, several in answers for each in several
    ]
    flat = iter(
        resampled_scores(gold, [own for each in works for own in each], resamples=resamples, seed=seed)
    )
    sampled = iter([[next(flat) for _ in each] for each in works])
    by_variant = [(variant, several, [next(sampled) for _ in several]) for variant, several in answers]
    rows = []
    for at, (question, code) in enumerate(codebook.coded_questions()):
        if question.answer is not AnswerKind.SENTENCES or not _is_answered(code.id, answers):
            continue
        first: Values | None = None
        for variant, cells, own in by_variant:
            f1 = np.mean([each[at][Metric.SENTENCE_F1] for each in own], axis=0)
            scores = {
                name: Measured(tuple(_or_none(float(each[at][metric][0])) for each in own))
                for name, metric in _SAMPLED.items()
            }
            scores[ACCURACY] = Measured(tuple(each.accuracy.get(code.id) for each in cells))
            scores[AUC] = Measured(tuple(each.roc_auc.get(code.id) for each in cells))
            ahead = None
            if first is None:
                first = f1
            else:
                reasons = (NO_SENTENCE_TO_FIND, NO_SENTENCE_TO_FIND)
                ahead = difference(first, f1, reasons=reasons, n_units=gold.n_clusters)
            rows.append(TableRow(code.id, variant, scores, ahead))
    return tuple(rows)


def _is_answered(code: str, answers: Sequence[tuple[Variant, Sequence[CellAnswer]]]) -> bool:
    return all(code in each.accuracy for _, several in answers for each in several)


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else value
