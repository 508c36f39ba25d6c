"""Hypothesis strategies for gold answers that any codebook and any text can have."""

from __future__ import annotations

from functools import lru_cache

from hypothesis import strategies as st

from annotation.answers import Answers, ItemText, Span, canonical_answers, shown_codes
from annotation.label_studio.decoding.offsets import trimmed_place
from annotation.sentences import sentences
from backend.annotate.practice.gold import Reasons
from codebook.schema import AnswerKind, Code, Codebook, Evidence, Level, Question

WORDS = st.sampled_from(
    ["no", "No.", "know", "I", "hall", "😀", "𠮷野", "שלום", "سلام", "\n", "\n\n", " ", "a.b*", "é"]
)
TEXTS = st.lists(WORDS, min_size=1, max_size=8).map(" ".join)
REASONS = st.text("why not? ☂\n", max_size=20).map(str.strip)


@st.composite
def items(draw: st.DrawFn) -> ItemText:
    return ItemText("item", draw(TEXTS), draw(TEXTS), draw(st.none() | TEXTS))


@st.composite
def sound_gold(draw: st.DrawFn, codebook: Codebook, item: ItemText) -> tuple[Answers, Reasons]:
    values: dict[str, int] = {}
    spans: list[Span] = []
    for question, code in shown_codes(codebook, item):
        marked = draw(_spans(question, code, item.text_of(question.part) or ""))
        values[code.id] = draw(_value(question, is_marked=bool(marked)))
        spans.extend(marked)
    shown = [code.id for _, code in shown_codes(codebook, item)]
    reasons = draw(st.dictionaries(st.sampled_from(shown), REASONS.filter(bool))) if shown else {}
    return canonical_answers(codebook, item, values, spans, None), Reasons(reasons, draw(REASONS))


def _spans(question: Question, code: Code, text: str) -> st.SearchStrategy[list[Span]]:
    if question.answer is AnswerKind.SENTENCES:
        places = list(sentences(text))
    elif question.evidence is Evidence.NONE:
        places = []
    else:
        places = _snippets(text)
    if not places:
        return st.just([])
    chosen = st.lists(st.sampled_from(places), max_size=3, unique=True)
    return chosen.map(lambda kept: [Span(code.id, question.part, *place) for place in kept])


@lru_cache(maxsize=8)
def _snippets(text: str) -> list[tuple[int, int]]:
    ends = range(len(text) + 1)
    found = (trimmed_place(text, start, end) for start in ends for end in ends)
    return sorted({place for place in found if place})


def _value(question: Question, *, is_marked: bool) -> st.SearchStrategy[int]:
    """With words a code is there; without, it is there only where none are required."""
    if question.answer is AnswerKind.SENTENCES:
        return st.just(int(is_marked))
    levels = question.levels or (Level(0, "no", "", absent=True), Level(1, "yes", ""))
    free = question.evidence is not Evidence.REQUIRED
    fitting = [level.value for level in levels if (is_marked and not level.absent) or not is_marked]
    if not is_marked and not free:
        fitting = [level.value for level in levels if level.absent]
    return st.sampled_from(fitting)
