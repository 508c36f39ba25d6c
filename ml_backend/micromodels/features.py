"""What the curves are over: for each text, or for each sentence where those are asked, how like the seeds it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from codebook.questions import ModelQuestion
from codebook.schema import AnswerKind, Part
from ml_backend.examples import Example
from ml_backend.learners.interface import Input, context_of
from ml_backend.learners.scores import Numbers
from ml_backend.micromodels.bank import Micromodel, round_cosines
from ml_backend.micromodels.reading import ReadPart, Sentences, Vectors

Parts = Mapping[Part, ReadPart]


def parts_read(questions: Iterable[ModelQuestion], mode: Input) -> tuple[Part, ...]:
    found = (part for question in questions for part in (question.part, *context_of(question, mode)))
    return tuple(dict.fromkeys(found))


def read_parts(examples: Sequence[Example], parts: Sequence[Part], sentences: Sentences) -> list[Parts]:
    return [
        {part: sentences.part(each, part) for part in parts if each.text.text_of(part) is not None}
        for each in examples
    ]


@dataclass(frozen=True, slots=True)
class Read:
    """Examples with their sentences read."""

    examples: Sequence[Example]
    parts: Sequence[Parts]
    sentences: Sentences


Likeness = Mapping[str, Numbers]


@dataclass(frozen=True, slots=True)
class Features:
    """Those of one code: a column for each micromodel, one for each other code of the same part and, of a context that
    is read, one for how like the seeds it is and one for how like the text."""

    question: ModelQuestion
    micromodels: tuple[Micromodel, ...]
    others: Mapping[str, tuple[Micromodel, ...]]
    context: tuple[Part, ...]

    @property
    def names(self) -> tuple[str, ...]:
        own = [each.name for each in self.micromodels]
        others = [f"likeness to {code}" for code in self.others]
        about = [f"{name} {part}" for part in self.context for name in ("seeds in the", "likeness to the")]
        return (*own, *others, *about)

    def of_sentences(self, sentences: Sentences) -> Numbers:
        """How like each micromodel each different sentence is."""
        columns = [each.nearest(sentences.vectors)[0] for each in self.micromodels]
        return np.stack(columns, axis=1)

    def rows(self, parts: Parts, sentences: Sentences, likeness: Likeness, *, without: str = "") -> Numbers:
        """One for the text, or one for each of its sentences. `likeness` is that of all sentences by code; what is
        marked in the item `without` alone is left out of it."""
        own, by_sentence = parts[self.question.part], self.question.answer is AnswerKind.SENTENCES
        at = list(own.own_rows if by_sentence else own.rows)
        near = {
            code: leave_out(without, micromodels, likeness[code][at], sentences.vectors[at])
            for code, micromodels in ((self.question.code_id, self.micromodels), *self.others.items())
        }
        others = [near[code].max(axis=1, keepdims=True) for code in self.others]
        found = np.hstack([near[self.question.code_id], *others])
        columns = [found if by_sentence else found.max(axis=0, keepdims=True, initial=0.0)]
        for part in self.context:
            beside = list(parts[part].rows) if part in parts else []
            highest = likeness[self.question.code_id][beside].max(initial=0.0)
            columns.append(np.full((len(columns[0]), 1), highest))
            to = _likeness_to(sentences.vectors[at], sentences.vectors[beside])
            columns.append(to[:, None] if by_sentence else np.full((1, 1), to.max(initial=0.0)))
        return np.hstack(columns)


def leave_out(
    item_id: str, micromodels: Sequence[Micromodel], likeness: Numbers, vectors: Vectors
) -> Numbers:
    """The likeness of an item's sentences, a column for each micromodel, without what was marked in the item alone."""
    own = [column for column, each in enumerate(micromodels) if item_id in each.lone_items]
    found = likeness.copy() if own else likeness
    for column in own:
        found[:, column] = micromodels[column].nearest(vectors, without=item_id)[0]
    return found


def _likeness_to(vectors: Vectors, beside: Vectors) -> Numbers:
    return round_cosines((vectors @ beside.T).max(axis=1, initial=0.0))
