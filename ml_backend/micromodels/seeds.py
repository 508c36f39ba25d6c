"""Seed utterances: what people marked for each code in the training part, cut into sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from codebook.questions import ModelQuestion
from learning.facility_location import choose_representatives
from learning.input_likeness import words_of
from ml_backend.examples import Example
from ml_backend.learners.scores import Numbers

# The similarities of all pairs are held in memory while some are chosen; of more, the commonest are looked at.
MOST_CANDIDATES = 4_000


class NoMarkedWords(ValueError):
    def __init__(self, codes: Sequence[str]) -> None:
        super().__init__(
            "The learner micromodels needs marked words: it looks for sentences that are like them, and the train part "
            f"has none for {', '.join(codes)}. Train on a release with evidence (release_from_table --evidence), or "
            "choose another learner."
        )


@dataclass(frozen=True, slots=True)
class Seed:
    """`items` are those in which it was marked: an item is never compared with what only it says."""

    text: str
    items: frozenset[str]


def seeds_of(question: ModelQuestion, train: Sequence[Example]) -> tuple[Seed, ...]:
    """Those with the same words are one, written as the first; the commonest first."""
    found: dict[tuple[str, ...], tuple[str, set[str]]] = {}
    for example in train:
        for text in _marked_texts(question, example):
            if words := tuple(words_of(text)):
                found.setdefault(words, (text, set()))[1].add(example.item_id)
    seeds = [Seed(text, frozenset(items)) for text, items in found.values()]
    return tuple(sorted(seeds, key=lambda seed: -len(seed.items)))


def _marked_texts(question: ModelQuestion, example: Example) -> Iterator[str]:
    """Of each sentence what was marked in it."""
    target = example.targets.get(question.code_id)
    text = example.text.text_of(question.part) or ""
    for start, end in target.marks if target else ():
        for first, last in example.text.sentences_of(question.part):
            if max(start, first) < min(end, last):
                yield text[max(start, first) : _with_ending(text, min(end, last), last)]


def _with_ending(text: str, end: int, last: int) -> int:
    """People mark words without the full stop or question mark after them: it belongs to them all the same.

    >>> _with_ending("Why is that?", 11, 12), _with_ending("Why is that?", 6, 12)
    (12, 6)
    """
    return end if words_of(text[end:last]) else last


def order_seeds(seeds: Sequence[Seed], vectors: Numbers, n: int) -> list[int]:
    """The places of those that stand best for all, the most telling first: at most n."""
    candidates = vectors[:MOST_CANDIDATES]
    weights = np.array([float(len(seed.items)) for seed in seeds[:MOST_CANDIDATES]])
    return choose_representatives(candidates @ candidates.T, n, weights)
