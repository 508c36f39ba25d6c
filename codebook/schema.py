"""The shape of a codebook, so that every other room can rely on one typed description of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class Part(StrEnum):
    """A piece of an item that is shown and judged."""

    POST = "post"
    REPLY = "reply"


class AnswerKind(StrEnum):
    """How an annotator answers for each code of a question."""

    TICK = "tick"
    LEVELS = "levels"
    SCALE = "scale"
    SENTENCES = "sentences"

    @property
    def has_levels(self) -> bool:
        return self in (AnswerKind.LEVELS, AnswerKind.SCALE)

    @property
    def takes_evidence(self) -> bool:
        """A rating has no snippet, and marked sentences are their own evidence."""
        return self in (AnswerKind.TICK, AnswerKind.LEVELS)


class Evidence(StrEnum):
    """Whether an annotator has to highlight the words behind an answer."""

    REQUIRED = "required"
    OPTIONAL = "optional"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Level:
    """One step of an ordered answer; `absent` marks the step that says the code is not there."""

    value: int
    label: str
    definition: str
    absent: bool = False


@dataclass(frozen=True, slots=True)
class Example:
    text: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class ContrastPair:
    """A reply that shows the code under `post`, and not under `contrary`, where the event is turned around."""

    post: str
    contrary: str
    reply: str


@dataclass(frozen=True, slots=True)
class Code:
    """`hotkey` holds one key, or one key per level, in order, where the question has levels.

    `answered_by` names codes of the reply: any one of them answers what this code finds in the post.
    `contrast_pairs` ask a model whether it looks at the post; annotators judge nothing by them. `formerly` names
    codes of earlier editions that it continues (codebook/recoding.py).
    """

    id: str
    name: str
    definition: str
    applies: tuple[str, ...]
    not_applies: tuple[str, ...]
    examples_for: tuple[Example, ...]
    examples_against: tuple[Example, ...]
    hotkey: str
    colour: str
    answered_by: tuple[str, ...] = ()
    contrast_pairs: tuple[ContrastPair, ...] = ()
    formerly: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """`context` names the parts one has to read besides the judged one; `contrast_pairs` hold for each of its codes."""

    id: str
    part: Part
    context: tuple[Part, ...]
    category: str
    text: str
    answer: AnswerKind
    evidence: Evidence
    levels: tuple[Level, ...]
    codes: tuple[Code, ...]
    contrast_pairs: tuple[ContrastPair, ...] = ()

    @property
    def once_for(self) -> Part:
        """What has one answer: a post that is judged by a reply has one for each reply."""
        return Part.REPLY if Part.REPLY in (self.part, *self.context) else Part.POST

    @property
    def present_values(self) -> frozenset[int]:
        """The answers that say that a code is there; every point of a rating scale is a rating and none says so."""
        match self.answer:
            case AnswerKind.LEVELS:
                return frozenset(level.value for level in self.levels if not level.absent)
            case AnswerKind.SCALE:
                return frozenset()
            case AnswerKind.TICK | AnswerKind.SENTENCES:
                return frozenset({1})

    def label_of(self, value: int) -> str:
        """An answer in the codebook's words: the level's label, or yes and no."""
        if not self.answer.has_levels:
            return "yes" if value else "no"
        return next((level.label for level in self.levels if level.value == value), str(value))

    def asks_evidence_at(self, level: Level) -> bool:
        return self.evidence is not Evidence.NONE and not level.absent


@dataclass(frozen=True, slots=True)
class Codebook:
    name: str
    title: str
    description: str
    language: str
    parts: tuple[Part, ...]
    questions: tuple[Question, ...]

    def questions_on(self, part: Part) -> tuple[Question, ...]:
        return tuple(question for question in self.questions if question.part is part)

    def coded_questions(self) -> Iterator[tuple[Question, Code]]:
        """Every code with its question, in the order annotators meet them within the file."""
        for question in self.questions:
            for code in question.codes:
                yield question, code

    @property
    def n_codes(self) -> int:
        return sum(len(question.codes) for question in self.questions)

    def answers_to(self, code: Code) -> tuple[Code, ...]:
        """The codes of the reply that answer it, in the order in which it names them."""
        codes = {each.id: each for _, each in self.coded_questions()}
        return tuple(codes[code_id] for code_id in code.answered_by)
