"""Evidence over all items of a code, in three named conventions for items without marked words.

The conventions differ more than most models do, so that a score without its convention says nothing:

positives   the items where gold finds the code and has words for it. A model that does not find the code there has
            marked nothing, whatever its spans say. This is the one to compare models by.
all rows    every item that has a label; the model's spans count only where it finds the code. An item on which
            neither marks anything scores 1, so that rare codes score high.
all ones    every item; gold without words counts as marked from end to end, and the model's spans count whatever it
            answers. EPITOME's published code makes its gold like this. It also scores padding, which is left out
            here: its published numbers are no target for ours.

Each is the mean over items of token F1 and IOU-F1 (`evidence_overlap`), and stands beside the same for a predictor
that marks every token of every text, which a model should beat.
"""

from collections.abc import Sequence

import numpy as np

from annotation.agreement.bootstrap import Values
from annotation.agreement.sparse_sums import Sums, sums_of
from annotation.release.rows import Snippet
from annotation.tokens import covered_tokens, tokens
from learning.predictions.rows import PredictedSpan
from learning.scoring.cases import Case, CodeCases
from learning.scoring.evidence_overlap import iou_f1, token_f1
from learning.scoring.family import Basis, ratio
from learning.scoring.values import Metric

_POSITIVES = (
    Metric.TOKEN_F1_POSITIVES,
    Metric.IOU_F1_POSITIVES,
    Metric.EVERY_TOKEN_F1_POSITIVES,
    Metric.EVERY_TOKEN_IOU_F1_POSITIVES,
)
_OTHERS = (
    Metric.TOKEN_F1_ALL_ROWS,
    Metric.IOU_F1_ALL_ROWS,
    Metric.EVERY_TOKEN_F1_ALL_ROWS,
    Metric.EVERY_TOKEN_IOU_F1_ALL_ROWS,
    Metric.TOKEN_F1_ALL_ONES,
    Metric.IOU_F1_ALL_ONES,
    Metric.EVERY_TOKEN_F1_ALL_ONES,
    Metric.EVERY_TOKEN_IOU_F1_ALL_ONES,
)
NO_TEXTS = "Undefined: the release has no texts, so that words cannot be counted; measure on one with texts."
NO_WORDS = "Undefined: gold has no words for the code in any item."
# Columns: items, then the sums of their scores.
_N_POSITIVES, _N_ALL = 0, len(_POSITIVES) + 1


class EvidenceScores:
    metrics = (*_POSITIVES, *_OTHERS)

    def __init__(self, cases: CodeCases) -> None:
        finds = zip(cases.cases, cases.gold_finds.tolist(), cases.model_finds.tolist(), strict=True)
        places = [
            (at, _Marked(case, gold, model))
            for at, (case, gold, model) in enumerate(finds)
            if case.text is not None
        ]
        self._has_texts = bool(places) or not cases.cases
        self._wordless = sum(each.lacks_words for _, each in places)
        self._rows = cases.rows[[at for at, _ in places]] if places else cases.rows[:0]
        self._positive = np.array([bool(each.gold) for _, each in places], dtype=np.bool_)
        scores = np.array([each.scores() for _, each in places]).reshape(len(places), len(self.metrics))
        scores[~self._positive, : len(_POSITIVES)] = 0
        counted = np.insert(scores, len(_POSITIVES), 1.0, axis=1)
        counted = np.insert(counted, _N_POSITIVES, self._positive, axis=1)
        columns = ((self._rows, column, counted[:, column]) for column in range(counted.shape[1]))
        self.sums: Sums = sums_of(cases.n_rows, counted.shape[1], *columns)

    def values(self, sums: Values) -> tuple[Values, ...]:
        positives = ratio(sums[:, 1:_N_ALL].T, sums[:, _N_POSITIVES])
        others = ratio(sums[:, _N_ALL + 1 :].T, sums[:, _N_ALL])
        return (*positives, *others)

    def basis(self, metric: Metric) -> Basis:
        reason = NO_WORDS if self._has_texts else NO_TEXTS
        if metric not in _POSITIVES:
            return Basis(len(self._rows), self._rows, reason)
        rows = self._rows[self._positive]
        note = ""
        if self._wordless:
            note = f"{self._wordless:,} items where gold finds the code without words for it are left out."
        return Basis(len(rows), rows, reason, note)


class _Marked:
    """The tokens that gold, the model and the predictor of every token mark in one text."""

    def __init__(self, case: Case, gold_finds: bool, model_finds: bool) -> None:
        text = case.text or ""
        marked = _tokens(text, case.label.evidence.snippets)
        self.gold = marked if gold_finds else ()
        self.lacks_words = gold_finds and not marked
        self._every = tuple(range(len(tokens(text))))
        self._ungated = _tokens(text, case.prediction.spans)
        self._model = self._ungated if model_finds else ()

    def scores(self) -> list[float]:
        """By metric; those on positives mean nothing where gold has no words."""
        gated = [*_both(self.gold, self._model), *_both(self.gold, self._every)]
        all_ones = self.gold or self._every
        return [*gated, *gated, *_both(all_ones, self._ungated), *_both(all_ones, self._every)]


def _tokens(text: str, places: Sequence[Snippet] | Sequence[PredictedSpan]) -> tuple[int, ...]:
    return covered_tokens(text, [(place.start, place.end) for place in places]) if places else ()


def _both(gold: Sequence[int], model: Sequence[int]) -> tuple[float, float]:
    return token_f1(gold, model, both_empty=1.0), iou_f1(gold, model, both_empty=1.0)
