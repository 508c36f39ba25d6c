"""Random items and valid answers to any codebook, for properties of the codec."""

from hypothesis import strategies as st

from annotation.answers import Answers, Flag, ItemText, Span, canonical_answers, shown_codes
from annotation.sentences import sentences
from codebook.schema import AnswerKind, Code, Codebook, Evidence, Question

_PIECES = [
    "I feel with you.",
    "Oh no!",
    " ",
    "\n",
    "\t",
    "😀",
    "👩‍👩‍👧",
    "e.g. this",
    "<b>&amp;",
    "مرحبا؟",
    "我很难过。",
    "no stop",
    "…",
]
texts = st.lists(st.sampled_from(_PIECES), min_size=1, max_size=8).map("".join).filter(str.strip)
flags = st.builds(Flag, st.one_of(st.just(""), texts.map(str.strip)))


@st.composite
def items(draw: st.DrawFn) -> ItemText:
    return ItemText(draw(st.uuids()).hex, draw(texts), draw(texts), draw(st.one_of(st.none(), texts)))


@st.composite
def places(draw: st.DrawFn, text: str) -> tuple[int, int]:
    """A highlight that begins and ends with something to see."""
    visible = [at for at, character in enumerate(text) if not character.isspace()]
    first, last = sorted((draw(st.sampled_from(visible)), draw(st.sampled_from(visible))))
    return first, last + 1


@st.composite
def answers_to(draw: st.DrawFn, codebook: Codebook, item: ItemText) -> Answers:
    values: dict[str, int] = {}
    spans: list[Span] = []
    for question, code in shown_codes(codebook, item):
        text = item.text_of(question.part) or ""
        if question.answer is AnswerKind.SENTENCES:
            found = draw(st.lists(st.sampled_from(sentences(text)), max_size=3))
        else:
            values[code.id], fewest, most = draw(_values(question))
            found = draw(st.lists(places(text), min_size=fewest, max_size=most))
        spans.extend(_spans(question, code, found))
    return canonical_answers(codebook, item, values, spans, draw(st.one_of(st.none(), flags)))


def _spans(question: Question, code: Code, found: list[tuple[int, int]]) -> list[Span]:
    return [Span(code.id, question.part, start, end) for start, end in found]


@st.composite
def _values(draw: st.DrawFn, question: Question) -> tuple[int, int, int]:
    """A value, and how many highlights it needs and may have."""
    if question.answer.has_levels:
        level = draw(st.sampled_from(question.levels))
        value, may_have = level.value, question.asks_evidence_at(level)
    else:
        value = draw(st.integers(0, 1))
        may_have = value == 1 and question.evidence is not Evidence.NONE
    needs = may_have and question.evidence is Evidence.REQUIRED
    return value, int(needs), 2 if may_have else 0
