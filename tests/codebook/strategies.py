"""Random but valid codebooks, for properties that must hold for every codebook."""

from dataclasses import dataclass, replace

from hypothesis import strategies as st

from codebook.hotkeys import RESERVED_KEYS, USABLE_KEYS
from codebook.schema import AnswerKind, Code, Codebook, ContrastPair, Evidence, Example, Level, Part, Question
from codebook.text_form import one_line

_KEYS = [key for key in USABLE_KEYS if key not in RESERVED_KEYS]
_AWKWARD = [
    "<b>&amp;\"'",
    "$post",
    "{{idx}}",
    "a: b # c",
    "- x",
    "*y*",
    "yes",
    "1",
    "😀 👩‍👩‍👧",
    "مرحبا",
    'name="post"',
]
_VISIBLE = st.characters(exclude_categories=("Cc", "Cn", "Cs", "Z"))

lines = st.one_of(
    st.sampled_from(_AWKWARD), st.text(_VISIBLE, min_size=1, max_size=12).map(one_line).filter(bool)
)


@dataclass
class _Writer:
    """Draws from a small pool of texts, because drawing every text anew is slow."""

    draw: st.DrawFn
    pool: list[str]
    written: int = 0

    def line(self) -> str:
        return self.draw(st.sampled_from(self.pool))

    def some(self) -> tuple[str, ...]:
        return tuple(self.line() for _ in range(self.draw(st.integers(1, 2))))

    def block(self) -> str:
        return "\n\n".join(self.some())

    def examples(self) -> tuple[Example, ...]:
        return (Example(self.line()), Example(self.line(), self.line()))

    def levels(self, answer: AnswerKind) -> tuple[Level, ...]:
        if not answer.has_levels:
            return ()
        start, count = self.draw(st.integers(-2, 2)), self.draw(st.integers(2, 4))
        absent = answer is AnswerKind.LEVELS and self.draw(st.booleans())
        return tuple(
            Level(start + at, f"{self.line()} {at}", self.block(), absent and at == 0) for at in range(count)
        )

    def code(self, keys: int) -> Code:
        number = self.written
        self.written += keys
        return Code(
            id=f"code-{number}",
            name=f"{self.line()} {number}",
            definition=self.block(),
            applies=self.some(),
            not_applies=self.some(),
            examples_for=self.examples(),
            examples_against=self.examples(),
            hotkey="".join(_KEYS[number : number + keys]),
            colour=f"#{number * 4099:06x}",
        )

    def question(self, number: int, parts: tuple[Part, ...]) -> Question:
        answer = self.draw(st.sampled_from(AnswerKind))
        part = self.draw(st.sampled_from(parts))
        others = tuple(other for other in parts if other is not part)
        levels = self.levels(answer)
        return Question(
            id=f"question-{number}",
            part=part,
            context=self.draw(st.sampled_from([(), others])),
            category=self.line(),
            text=self.line(),
            answer=answer,
            evidence=self.draw(st.sampled_from(Evidence)) if answer.takes_evidence else Evidence.NONE,
            levels=levels,
            codes=tuple(self.code(len(levels) or 1) for _ in range(self.draw(st.integers(1, 2)))),
        )


@st.composite
def codebooks(draw: st.DrawFn) -> Codebook:
    writer = _Writer(draw, draw(st.lists(lines, min_size=2, max_size=5)))
    parts = draw(st.sampled_from([(Part.POST,), (Part.POST, Part.REPLY), (Part.REPLY, Part.POST)]))
    questions = tuple(writer.question(number, parts) for number in range(draw(st.integers(1, 3))))
    codebook = Codebook("random", writer.line(), writer.block(), "en", parts, questions)
    return _contrasted(_linked(codebook, draw(st.integers(0, 2))), draw(st.booleans()))


def _contrasted(codebook: Codebook, is_wanted: bool) -> Codebook:
    """With a contrast pair at each question and code that takes one."""
    pair = (ContrastPair("I got the job", "I lost the job", "How lovely"),) if is_wanted else ()

    def contrasted(question: Question) -> Question:
        if question.part is Part.POST or question.answer is AnswerKind.SCALE:
            return question
        codes = tuple(replace(code, contrast_pairs=pair) for code in question.codes)
        return replace(question, codes=codes, contrast_pairs=pair)

    return replace(codebook, questions=tuple(contrasted(question) for question in codebook.questions))


def _linked(codebook: Codebook, most: int) -> Codebook:
    """With up to so many codes of the reply that answer each code of the post."""
    answers = [
        code.id
        for question, code in codebook.coded_questions()
        if question.part is Part.REPLY and question.answer is not AnswerKind.SCALE
    ][:most]

    def linked(question: Question) -> Question:
        codes = (replace(code, answered_by=tuple(answers)) for code in question.codes)
        return replace(question, codes=tuple(codes)) if question.part is Part.POST else question

    return replace(codebook, questions=tuple(linked(question) for question in codebook.questions))
