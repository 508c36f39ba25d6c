"""What simulated annotators say about a text whose truth is known: they miss rare words, fall for what only looks like
a theme, and mark too little, each with a care of their own and less in the second round than in the first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from annotation.answers import Answers, Flag, ItemText, Span, canonical_answers, shown_codes
from backend.operate.demo.story.texts import Thread, Truth
from codebook.schema import Codebook, Part

# How hard a theme is to tell: 1 is easy. In the second round, what was talked about after the first is easier.
FIRST_ROUND = {
    "emotional-resonance": 6.0,
    "expressing-validation": 7.0,
    "sharing-similar-experiences": 1.4,
    "offering-reassurance": 6.0,
    "showing-interest": 1.6,
    "offering-advice": 1.2,
    "asking-advice": 1.0,
    "seeking-emotional-support": 1.6,
}
SECOND_ROUND = {
    **FIRST_ROUND,
    "expressing-validation": 1.2,
    "offering-reassurance": 1.4,
    "emotional-resonance": 3.6,
}
MISS, MISS_SUBTLE, FALL_FOR, IMAGINE = 0.02, 0.12, 0.14, 0.004
SHORTEN, FLAG_WHEN_WRONG, FLAG_WHEN_RIGHT = 0.12, 0.10, 0.01
FLAGS = (
    "I am torn: is this about the poster or about the replier?",
    "It sounds like it, but nothing says so.",
    "Could be two themes at once. Which one counts?",
    "I went back and forth on this one.",
)
SHORTEST_SECONDS, LONGEST_SECONDS = 18.0, 110.0


@dataclass(frozen=True, slots=True)
class Known:
    """An item's text with the truth of its two parts."""

    text: ItemText
    post: Truth
    reply: Truth

    def truth_of(self, part: Part) -> Truth:
        return self.post if part is Part.POST else self.reply


def truths(threads: list[Thread]) -> Mapping[tuple[str, str], tuple[Truth, Truth]]:
    """By the texts of post and reply, which are what an item shows."""
    return {
        (thread.text, reply.text): (thread.truth, reply.truth)
        for thread in threads
        for reply in thread.replies
    }


def true_answers(codebook: Codebook, known: Known) -> Answers:
    """What a careful adjudicator decides."""
    values = {
        code.id: int(code.id in known.truth_of(question.part).there)
        for question, code in shown_codes(codebook, known.text)
    }
    spans = [
        _span(known, question.part, code.id, known.truth_of(question.part).there[code.id])
        for question, code in shown_codes(codebook, known.text)
        if values[code.id]
    ]
    return canonical_answers(codebook, known.text, values, spans, None)


def simulated_answers(
    codebook: Codebook, known: Known, hardness: Mapping[str, float], care: float, rng: Random
) -> Answers:
    """`care` is 1 for an average annotator; who takes more errs less."""
    values: dict[str, int] = {}
    spans: list[Span] = []
    is_wrong = False
    for question, code in shown_codes(codebook, known.text):
        truth = known.truth_of(question.part)
        errs = hardness[code.id] / care
        if code.id in truth.there:
            miss = MISS_SUBTLE if code.id in truth.subtle else MISS
            values[code.id] = int(rng.random() >= min(0.6, miss * errs))
            words = truth.there[code.id]
        else:
            fall = FALL_FOR if code.id in truth.near else IMAGINE
            values[code.id] = int(rng.random() < min(0.6, fall * errs))
            words = truth.near.get(code.id) or rng.choice(list(_sentences(known, question.part)))
        is_wrong |= values[code.id] != int(code.id in truth.there)
        if values[code.id]:
            spans.append(_span(known, question.part, code.id, words, shorten=rng.random() < SHORTEN))
    doubts = rng.random() < (FLAG_WHEN_WRONG if is_wrong else FLAG_WHEN_RIGHT)
    return canonical_answers(codebook, known.text, values, spans, Flag(rng.choice(FLAGS)) if doubts else None)


def _sentences(known: Known, part: Part) -> Iterator[str]:
    text = known.text.text_of(part) or ""
    return (text[start:end] for start, end in known.text.sentences_of(part))


def _span(known: Known, part: Part, code: str, words: str, *, shorten: bool = False) -> Span:
    start = (known.text.text_of(part) or "").index(words)
    end = start + len(words)
    if shorten and words.count(" ") > 3:
        start += words.index(" ", words.index(" ") + 1) + 1
    return Span(code, part, start, end)


def seconds_on(known: Known, care: float, rng: Random) -> float:
    """Longer texts take longer."""
    words = len(known.text.post.split()) + len((known.text.reply or "").split())
    return min(LONGEST_SECONDS, SHORTEST_SECONDS + 0.5 * words * care * rng.uniform(0.5, 1.6))
