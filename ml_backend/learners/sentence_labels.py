"""What learners of sentences learn from: of each labelled item which sentences are marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from codebook.questions import ModelQuestion
from ml_backend.examples import Example
from ml_backend.learners.calibration import find_overlaps
from ml_backend.learners.interface import OneAnswerAlone, Report


@dataclass(frozen=True, slots=True)
class MarkedSentences:
    """`marked` has a place for each sentence of the judged part."""

    example: Example
    marked: NDArray[np.bool_]
    weight: float


def marked_sentences(question: ModelQuestion, example: Example) -> MarkedSentences | None:
    """None where the item has no label, or no sentence."""
    target = example.targets.get(question.code_id)
    places = example.text.sentences_of(question.part)
    if target is None or not places:
        return None
    return MarkedSentences(example, find_overlaps(places, target.marks), target.weight)


def two_sided_questions(
    questions: Sequence[ModelQuestion], train: Sequence[Example], report: Report
) -> tuple[ModelQuestion, ...]:
    """Those that have both marked and unmarked sentences to learn from; it is an error if none has."""
    found: list[ModelQuestion] = []
    one_sided: list[ModelQuestion] = []
    for question in questions:
        marks = [each.marked for example in train if (each := marked_sentences(question, example))]
        counts = np.bincount(np.concatenate(marks).astype(int), minlength=2) if marks else np.zeros(2)
        (found if counts.all() else one_sided).append(question)
    if not found:
        raise OneAnswerAlone([question.code_id for question in one_sided])
    if one_sided:
        report(f"Not learned, because there is one class alone: {', '.join(q.code_id for q in one_sided)}")
    return tuple(found)
