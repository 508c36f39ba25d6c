"""From a learner's raw scores to what it says: calibrated probabilities, an answer, and the words behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import msgspec
import numpy as np
from numpy.typing import NDArray

from codebook.questions import ModelQuestion
from codebook.schema import AnswerKind
from learning.predictions.rows import CodePrediction, ItemPrediction, PredictedSpan
from ml_backend.examples import Example, Place

Numbers = NDArray[np.float64]
EVEN = 0.5
# So many words between two marked ones are marked too.
WIDEST_GAP = 2


@dataclass(frozen=True, slots=True)
class Scores:
    """`logits` has one score for each answer; `marks` one for each place: a word, or a sentence where those are asked.

    Where sentences are asked for, the answer follows from them and `logits` is empty. `spread` is how far a learner
    with several heads is of several opinions.
    """

    logits: Numbers
    places: tuple[Place, ...] = ()
    marks: Numbers | None = None
    spread: float | None = None


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How scores on one code become answers; found on the validation part, as it stands here where there is none."""

    temperature: float = 1.0
    offsets: tuple[float, ...] = ()
    mark_threshold: float = EVEN


def softmax(logits: Numbers) -> Numbers:
    """
    >>> softmax(np.array([0.0, 0.0])).tolist()
    [0.5, 0.5]
    """
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True))


def sigmoid(logits: Numbers) -> Numbers:
    """Without overflow at either end.

    >>> sigmoid(np.array([-1000.0, 0.0, 1000.0])).tolist()
    [0.0, 0.5, 1.0]
    """
    small = np.exp(-np.abs(logits))
    return np.asarray(np.where(logits >= 0, 1, small) / (1 + small))


def best_place(answer: AnswerKind, probabilities: Numbers, offsets: Sequence[float]) -> NDArray[np.int64]:
    """The answers' places, a row each. On a rating scale the median, since a near miss is less wrong than a far one."""
    shifted = np.log(np.maximum(probabilities, 1e-12)) + (np.asarray(offsets) if offsets else 0.0)
    if answer is AnswerKind.SCALE:
        return np.asarray((softmax(shifted).cumsum(axis=-1) < EVEN - 1e-9).sum(axis=-1))
    return np.asarray(shifted.argmax(axis=-1))


def code_prediction(question: ModelQuestion, scores: Scores, rule: Rule) -> CodePrediction:
    if question.answer is AnswerKind.SENTENCES:
        return _said_of_sentences(question, scores, rule)
    probabilities = softmax(scores.logits / rule.temperature)
    place = int(best_place(question.answer, probabilities[None, :], rule.offsets)[0])
    chosen = question.values[place]
    spans = marked_spans(question, scores, rule) if chosen.wants_evidence else ()
    pairs = zip(question.values, probabilities.tolist(), strict=True)
    said = tuple((each.value, p) for each, p in pairs)
    return CodePrediction(question.code_id, chosen.value, said, spans, scores.spread)


def _said_of_sentences(question: ModelQuestion, scores: Scores, rule: Rule) -> CodePrediction:
    """That any sentence is meant is at least as probable as that the likeliest is: the lower bound is given."""
    marks = sigmoid(_marks(scores) / rule.temperature)
    spans = tuple(
        PredictedSpan(question.part, start, end, float(score))
        for (start, end), score in zip(scores.places, marks, strict=True)
        if score >= rule.mark_threshold
    )
    likeliest = float(marks.max()) if len(marks) else 0.0
    return CodePrediction(question.code_id, int(bool(spans)), ((0, 1 - likeliest), (1, likeliest)), spans)


def marked_words(marks: Numbers, threshold: float) -> NDArray[np.bool_]:
    """Those that pass, and what is between two that are near each other: people mark phrases, not words.

    >>> marked_words(np.array([0.9, 0.1, 0.2, 0.9, 0.1]), 0.5).tolist()
    [True, True, True, True, False]
    """
    found = marks >= threshold
    passing = np.flatnonzero(found)
    for before, after in pairwise(passing.tolist()):
        if after - before <= WIDEST_GAP + 1:
            found[before:after] = True
    return np.asarray(found)


def marked_spans(question: ModelQuestion, scores: Scores, rule: Rule) -> tuple[PredictedSpan, ...]:
    """Neighbouring words that are marked make one span, as sure as they are on average."""
    marks = sigmoid(_marks(scores))
    is_marked = np.concatenate([[False], marked_words(marks, rule.mark_threshold), [False]])
    firsts, afters = np.flatnonzero(np.diff(is_marked)).reshape(-1, 2).T.tolist()
    return tuple(
        PredictedSpan(
            question.part,
            scores.places[first][0],
            scores.places[after - 1][1],
            float(marks[first:after].mean()),
        )
        for first, after in zip(firsts, afters, strict=True)
    )


def _marks(scores: Scores) -> Numbers:
    return np.zeros(0) if scores.marks is None else scores.marks


def item_prediction(
    example: Example,
    questions: Sequence[ModelQuestion],
    scores: Mapping[str, Scores],
    rules: Mapping[str, Rule],
    *,
    adapter_id: str,
    n_truncated: int = 0,
) -> ItemPrediction | None:
    """None where the item is asked nothing."""
    codes = tuple(
        code_prediction(question, scores[question.code_id], rules.get(question.code_id, Rule()))
        for question in questions
        if question.code_id in scores
    )
    return ItemPrediction(example.item_id, codes, adapter_id, n_truncated) if codes else None
