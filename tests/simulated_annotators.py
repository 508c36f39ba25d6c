"""Annotators of known quality on items whose truth is known, so that what the platform says can be held to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from annotation.answers import Answers, Flag, ItemText, Span, canonical_answers, shown_codes
from annotation.tokens import tokens
from codebook.schema import Codebook


@dataclass(frozen=True)
class Quality:
    """`sensitivity`: finds a code that is there; `specificity`: does not find one that is not."""

    sensitivity: float
    specificity: float
    flags_when_wrong: float = 0.0
    flags_when_right: float = 0.0


@dataclass(frozen=True)
class Truth:
    """Which codes are there, by item id and code id, with the words that show each."""

    values: Mapping[str, Mapping[str, int]]
    spans: Mapping[str, Mapping[str, Span]]


def made_truth(
    codebook: Codebook, items: Sequence[ItemText], prevalence: Mapping[str, float], rng: np.random.Generator
) -> Truth:
    """Every code is there by chance alone, shown by three words in a row."""
    values: dict[str, dict[str, int]] = {}
    spans: dict[str, dict[str, Span]] = {}
    for item in items:
        values[item.item_id], spans[item.item_id] = {}, {}
        for question, code in shown_codes(codebook, item):
            words = tokens(item.text_of(question.part) or "")
            first = int(rng.integers(0, max(1, len(words) - 3)))
            last = min(first + 2, len(words) - 1)
            values[item.item_id][code.id] = int(rng.random() < prevalence[code.id])
            spans[item.item_id][code.id] = Span(code.id, question.part, words[first][0], words[last][1])
    return Truth(values, spans)


def simulated_answers(
    codebook: Codebook, item: ItemText, truth: Truth, quality: Quality, rng: np.random.Generator
) -> Answers:
    """What somebody of this quality says; where they find a code they mark its words."""
    said: dict[str, int] = {}
    for _, code in shown_codes(codebook, item):
        there = truth.values[item.item_id][code.id]
        right = rng.random() < (quality.sensitivity if there else quality.specificity)
        said[code.id] = there if right else 1 - there
    wrong = said != dict(truth.values[item.item_id])
    doubt = rng.random() < (quality.flags_when_wrong if wrong else quality.flags_when_right)
    spans = [truth.spans[item.item_id][code_id] for code_id, value in said.items() if value]
    return canonical_answers(codebook, item, said, spans, Flag("Not sure.") if doubt else None)


def expected_kappa(prevalence: float, qualities: Sequence[Quality]) -> float:
    """Fleiss' kappa of infinitely many items: errors are independent given the truth."""
    finds = [(each.sensitivity, 1 - each.specificity) for each in qualities]
    observed = float(
        np.mean(
            [
                prevalence * (a * b + (1 - a) * (1 - b)) + (1 - prevalence) * (c * d + (1 - c) * (1 - d))
                for (a, c), (b, d) in combinations(finds, 2)
            ]
        )
    )
    share = float(np.mean([prevalence * there + (1 - prevalence) * absent for there, absent in finds]))
    chance = share**2 + (1 - share) ** 2
    return (observed - chance) / (1 - chance)
