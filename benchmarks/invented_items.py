"""Invented posts and replies as long as real ones, with themes that words give away, for the benchmarks of models."""

from __future__ import annotations

import random

from annotation.answers import ItemText
from codebook.questions import model_questions
from codebook.schema import Codebook
from ml_backend.examples import Example, Target

WORDS = (
    *(
        "I",
        "you",
        "we",
        "they",
        "it",
        "that",
        "this",
        "there",
        "a",
        "the",
        "and",
        "but",
        "so",
        "because",
        "when",
    ),
    *(
        "if",
        "at",
        "on",
        "in",
        "to",
        "of",
        "for",
        "with",
        "about",
        "from",
        "after",
        "feel",
        "think",
        "know",
        "want",
    ),
    *(
        "need",
        "hope",
        "try",
        "keep",
        "went",
        "said",
        "told",
        "asked",
        "talk",
        "listen",
        "work",
        "home",
        "friend",
    ),
    *(
        "day",
        "week",
        "night",
        "year",
        "time",
        "life",
        "people",
        "things",
        "really",
        "never",
        "always",
        "maybe",
    ),
    *(
        "better",
        "hard",
        "alone",
        "tired",
        "afraid",
        "happy",
        "sorry",
        "glad",
        "angry",
        "lost",
        "quiet",
        "strange",
    ),
)
# Half of the replies in a large set of such pairs have under 40 words' worth of tokens, one in ten over 130.
MEDIAN_WORDS, SPREAD = 38, 0.85
LONGEST = 600
SHARE_WITH_A_THEME = 0.15


def invented_examples(codebook: Codebook, n: int, seed: int) -> list[Example]:
    """Each theme is in some of the items, and shows in a phrase of its own."""
    rng = random.Random(seed)
    return [_example(codebook, number, rng) for number in range(n)]


def _example(codebook: Codebook, number: int, rng: random.Random) -> Example:
    parts = {"post": _words(rng), "reply": _words(rng)}
    places: dict[str, int] = {}
    questions = model_questions(codebook)
    for question in questions:
        if rng.random() < SHARE_WITH_A_THEME:
            words = parts[question.part]
            words.insert(rng.randrange(len(words) + 1), f"really {question.code_id.replace('-', ' ')} here")
            places[question.code_id] = 1
    text = ItemText(f"item-{number:05d}", "", " ".join(parts["post"]), " ".join(parts["reply"]))
    targets = {}
    for question in questions:
        own = text.text_of(question.part) or ""
        phrase = f"really {question.code_id.replace('-', ' ')} here"
        start = own.find(phrase)
        marks = ((start, start + len(phrase)),) if question.code_id in places else ()
        targets[question.code_id] = Target(int(question.code_id in places), 1.0, marks)
    return Example(text, targets)


def _words(rng: random.Random) -> list[str]:
    n = min(LONGEST, max(3, round(MEDIAN_WORDS * rng.lognormvariate(0, SPREAD))))
    return [rng.choice(WORDS) for _ in range(n)]
