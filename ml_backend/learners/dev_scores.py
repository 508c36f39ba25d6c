"""How good raw scores are on the validation part, before any threshold: what training goes by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.totals import mean_of_defined
from codebook.questions import ModelQuestion
from codebook.schema import AnswerKind
from ml_backend.examples import Example, Target
from ml_backend.learners.calibration import answers_f1, find_overlaps, found_f1
from ml_backend.learners.scores import Scores

Pairs = Sequence[tuple[Target, Scores]]


def dev_f1(
    questions: Sequence[ModelQuestion], dev: Sequence[Example], scores: Sequence[Mapping[str, Scores]]
) -> float | None:
    """The mean over codes of macro-F1 of the likeliest answers, or of F1 of sentences; None where no code has one."""
    found = [_f1(question, pairs) for question, pairs in _by_code(questions, dev, scores)]
    mean = float(mean_of_defined(np.array(found)))
    return None if np.isnan(mean) else mean


def best_sentence_f1(
    questions: Sequence[ModelQuestion], dev: Sequence[Example], scores: Sequence[Mapping[str, Scores]]
) -> float | None:
    """The mean over codes of the F1 of sentences at the threshold that is best for it: while marked sentences are rare,
    a network can put them first long before it finds any probable."""
    found = []
    for _, pairs in _by_code(questions, dev, scores):
        marks = np.concatenate([np.zeros(0) if said.marks is None else said.marks for _, said in pairs])
        gold = np.concatenate([find_overlaps(said.places, target.marks) for target, said in pairs])
        if gold.any():
            found.append(highest_f1(marks, gold))
    return float(np.mean(found)) if found else None


def highest_f1(marks: NDArray[np.float64], gold: NDArray[np.bool_]) -> float:
    """Of marking all sentences from some score upwards.

    >>> highest_f1(np.array([0.9, 0.8, 0.1]), np.array([True, False, True]))
    0.8
    """
    order = np.argsort(-marks, kind="stable")
    hits = np.cumsum(gold[order])
    found = 2 * hits / (np.arange(1, len(marks) + 1) + gold.sum())
    is_last = np.append(marks[order][1:] != marks[order][:-1], True)
    return float(found[is_last].max())


def _by_code(
    questions: Sequence[ModelQuestion], dev: Sequence[Example], scores: Sequence[Mapping[str, Scores]]
) -> Iterator[tuple[ModelQuestion, Pairs]]:
    for question in questions:
        code = question.code_id
        pairs = [
            (example.targets[code], said[code])
            for example, said in zip(dev, scores, strict=True)
            if code in example.targets and code in said
        ]
        if pairs:
            yield question, pairs


def _f1(question: ModelQuestion, pairs: Pairs) -> float:
    if question.answer is AnswerKind.SENTENCES:
        marks = [np.zeros(0) if scores.marks is None else scores.marks for _, scores in pairs]
        gold = [find_overlaps(scores.places, target.marks) for target, scores in pairs]
        return found_f1(np.concatenate(marks) >= 0, np.concatenate(gold))
    values = [each.value for each in question.values]
    chosen = np.array([scores.logits.argmax() for _, scores in pairs])
    return answers_f1(chosen, np.array([values.index(target.value) for target, _ in pairs]), len(values))
