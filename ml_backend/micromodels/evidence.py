"""Which words a learner shows: those of the sentences that are like enough, and of the likest one at least."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from annotation.tokens import tokens
from codebook.schema import Part
from ml_backend.encoder.preparing import units_of_tokens
from ml_backend.examples import Example, Place
from ml_backend.learners.scores import Numbers, Rule, Scores, sigmoid

# The likeness of a sentence as a logit, which has no end: at least so far from 0 and 1.
LEAST = 1e-6


class Words:
    """The words of an item's parts, and in which sentence each is; found once for all codes."""

    def __init__(self, example: Example) -> None:
        self._text = example.text
        self._found: dict[Part, tuple[tuple[Place, ...], NDArray[np.int64]]] = {}

    def of(self, part: Part, sentences: Sequence[Place]) -> tuple[tuple[Place, ...], NDArray[np.int64]]:
        """-1 is in none."""
        if part not in self._found:
            places = tokens(self._text.text_of(part) or "")
            found = units_of_tokens(np.array(places).reshape(-1, 2), np.array(sentences).reshape(-1, 2))
            self._found[part] = (places, found)
        return self._found[part]

    def scores(self, logits: Numbers, part: Part, sentences: Sequence[Place], likeness: Numbers) -> Scores:
        """Each word is as like the seeds as its sentence is."""
        places, sentence_of = self.of(part, sentences)
        marks = np.clip(np.append(likeness, 0.0)[sentence_of], LEAST, 1 - LEAST)
        return Scores(logits, places, np.log(marks / (1 - marks)))


def show_likest(rule: Rule, scores: Scores) -> Rule:
    """Where the code is found, the likest sentence is shown, however little that is."""
    if scores.marks is None or not len(scores.marks) or not len(scores.logits):
        return rule
    least = min(rule.mark_threshold, float(sigmoid(scores.marks).max()))
    return msgspec.structs.replace(rule, mark_threshold=least)
