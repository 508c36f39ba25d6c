"""Two learners' scores on one code made one: a weighted mean of what each says."""

from __future__ import annotations

import numpy as np

from codebook.questions import ModelQuestion
from codebook.schema import AnswerKind
from ml_backend.learners.scores import Scores, softmax


def softened(question: ModelQuestion, scores: Scores, temperature: float) -> Scores:
    """As sure as the learner was found to be, so that the louder of two does not drown the other."""
    if question.answer is AnswerKind.SENTENCES:
        marks = None if scores.marks is None else scores.marks / temperature
        return Scores(scores.logits, scores.places, marks)
    logits = np.log(np.maximum(softmax(scores.logits / temperature), 1e-12))
    return Scores(logits, scores.places, scores.marks)


def blended(question: ModelQuestion, first: Scores, second: Scores, share: float) -> Scores:
    """`share` is how much the second weighs; the words behind an answer are those of the first."""
    if question.answer is not AnswerKind.SENTENCES:
        return Scores((1 - share) * first.logits + share * second.logits, first.places, first.marks)
    if first.marks is None or second.marks is None:
        return first
    return Scores(first.logits, first.places, (1 - share) * first.marks + share * second.marks)
