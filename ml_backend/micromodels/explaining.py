"""Says of each prediction which seeds fired and what each curve added."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from codebook.questions import ModelQuestion
from codebook.schema import AnswerKind
from learning.additive_curves import AdditiveModel
from learning.predictions.explanations import (
    AddedHeight,
    ByAnswer,
    CodeExplanation,
    FiredSeed,
    ItemExplanation,
)
from learning.predictions.rows import CodePrediction, ItemPrediction
from ml_backend.learners.scores import Numbers
from ml_backend.micromodels.features import Features, Likeness, Read


def explain_items(
    read: Read,
    predictions: Mapping[str, ItemPrediction],
    features: Mapping[str, Features],
    models: Mapping[str, AdditiveModel],
) -> Iterator[ItemExplanation]:
    nearest = {code: _Nearest(each, read) for code, each in features.items()}
    likeness = {code: each.likeness for code, each in nearest.items()}
    for at, example in enumerate(read.examples):
        prediction = predictions.get(example.item_id)
        if prediction is None:
            continue
        codes = tuple(
            _explain(features[code], models[code], nearest[code], likeness, read, at, said)
            for said in prediction.codes
            if (code := said.code_id)
        )
        yield ItemExplanation(example.item_id, prediction.adapter_id, codes)


class _Nearest:
    """Of each sentence that was read how like each micromodel it is, and the likest seed of all."""

    def __init__(self, features: Features, read: Read) -> None:
        found = [each.nearest(read.sentences.vectors) for each in features.micromodels]
        self.likeness = np.stack([likeness for likeness, _ in found], axis=1)
        self._features, self._which = features, [which for _, which in found]

    def seed(self, row: int) -> tuple[str, float]:
        column = int(self.likeness[row].argmax())
        micromodel = self._features.micromodels[column]
        return micromodel.seeds[self._which[column][row]].text, float(self.likeness[row, column])


def _explain(
    features: Features,
    model: AdditiveModel,
    nearest: _Nearest,
    likeness: Likeness,
    read: Read,
    at: int,
    said: CodePrediction,
) -> CodeExplanation:
    question, part = features.question, read.parts[at][features.question.part]
    near = [
        FiredSeed(question.part, *place, *nearest.seed(row))
        for row, place in zip(part.own_rows, part.places, strict=True)
    ]
    near.sort(key=lambda each: -each.likeness)
    fired = [each for each in near if _is_shown(each, said)] or near[:1]
    rows = features.rows(read.parts[at], read.sentences, likeness)
    if question.answer is AnswerKind.SENTENCES and len(rows):
        logits = model.logits(rows)
        rows = rows[[int((logits[:, 1] - logits[:, 0]).argmax())]]
    return CodeExplanation(
        said.code_id,
        said.value,
        tuple(fired),
        _by_answer(question, model.intercepts),
        _add_heights(question, model, rows) if len(rows) else (),
    )


def _is_shown(fired: FiredSeed, said: CodePrediction) -> bool:
    return any(span.start < fired.end and fired.start < span.end for span in said.spans)


def _add_heights(question: ModelQuestion, model: AdditiveModel, rows: Numbers) -> tuple[AddedHeight, ...]:
    found = [
        AddedHeight(curve.feature, float(value), _by_answer(question, heights.tolist()))
        for curve, value, heights in zip(model.curves, rows[0], model.heights(rows)[0], strict=False)
    ]
    return tuple(sorted(found, key=lambda each: -max(abs(height) for _, height in each.heights)))


def _by_answer(question: ModelQuestion, numbers: Sequence[float]) -> ByAnswer:
    return tuple((each.value, float(number)) for each, number in zip(question.values, numbers, strict=True))
