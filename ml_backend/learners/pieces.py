"""What a linear model classifies: the whole judged text, or each of its sentences, with the context beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from codebook.questions import ModelQuestion
from codebook.schema import AnswerKind, Part
from ml_backend.examples import Example, Place
from ml_backend.learners.calibration import find_overlaps
from ml_backend.learners.interface import Input, context_of
from ml_backend.learners.scores import Numbers, Scores
from ml_backend.learners.soft_targets import shares_in_order


@dataclass(frozen=True, slots=True)
class Kind:
    """Questions of one kind read the same pieces, so that these are made once for all of them."""

    part: Part
    context: tuple[Part, ...]
    by_sentence: bool


@dataclass(frozen=True, slots=True)
class Pieces:
    """`owners` says which example each piece is of; `columns` has the texts by the name of their vocabulary."""

    examples: tuple[Example, ...]
    owners: tuple[int, ...]
    places: tuple[Place, ...]
    columns: tuple[tuple[str, tuple[str, ...]], ...]

    def own(self, at: int) -> slice:
        return slice(
            int(np.searchsorted(self.owners, at)), int(np.searchsorted(self.owners, at, side="right"))
        )


@dataclass(frozen=True, slots=True)
class Labelled:
    """The pieces with a known answer: their rows, the places of the answers, and what each counts."""

    rows: tuple[int, ...]
    gold: tuple[int, ...]
    weights: tuple[float, ...]


def kind_of(question: ModelQuestion, mode: Input) -> Kind:
    return Kind(question.part, context_of(question, mode), question.answer is AnswerKind.SENTENCES)


def pieces_of(kind: Kind, examples: Sequence[Example]) -> Pieces:
    """Of those examples that have the judged part."""
    asked = tuple(example for example in examples if example.text.text_of(kind.part) is not None)
    owners: list[int] = []
    places: list[Place] = []
    texts: list[str] = []
    for at, example in enumerate(asked):
        whole, _ = example.shown(kind.part)
        own = example.text.text_of(kind.part) or ""
        found = example.text.sentences_of(kind.part) if kind.by_sentence else ((0, len(own)),)
        owners += [at] * len(found)
        places += found
        texts += [own[start:end] for start, end in found] if kind.by_sentence else [whole]
    columns = [(f"{kind.part}-sentences" if kind.by_sentence else f"{kind.part}", tuple(texts))]
    for part in kind.context:
        beside = [example.shown(part)[0] for example in asked]
        columns.append((f"{part}-beside", tuple(beside[owner] for owner in owners)))
    return Pieces(asked, tuple(owners), tuple(places), tuple(columns))


def label_pieces(question: ModelQuestion, pieces: Pieces, *, soft: bool = False) -> Labelled:
    """If `soft`, a text is there once for each answer that annotators gave, weighted by their share."""
    values = [each.value for each in question.values]
    rows: list[int] = []
    gold: list[int] = []
    weights: list[float] = []
    for row, (owner, place) in enumerate(zip(pieces.owners, pieces.places, strict=True)):
        target = pieces.examples[owner].targets.get(question.code_id)
        if target is None:
            continue
        if question.answer is AnswerKind.SENTENCES:
            known = [(int(find_overlaps([place], target.marks)[0]), 1.0)]
        elif soft:
            known = [each for each in enumerate(shares_in_order(question, target)) if each[1]]
        else:
            known = [(values.index(target.value), 1.0)]
        for at, share in known:
            rows.append(row)
            gold.append(at)
            weights.append(target.weight * share)
    return Labelled(tuple(rows), tuple(gold), tuple(weights))


def scores_of(question: ModelQuestion, pieces: Pieces, at: int, logits: Numbers) -> Scores:
    """Of one example, from the logits of all pieces."""
    own = pieces.own(at)
    if question.answer is AnswerKind.SENTENCES:
        return Scores(np.zeros(0), pieces.places[own], logits[own, 1] - logits[own, 0])
    return Scores(logits[own][0])
