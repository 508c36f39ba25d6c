"""The controls that the interface of a codebook has, so that names are checked against its edition."""

from dataclasses import dataclass

from annotation.label_studio.config.control_names import (
    ControlKind,
    ControlName,
    UnknownControlError,
    read_control_name,
)
from codebook.schema import AnswerKind, Code, Codebook, Evidence, Part, Question


@dataclass(frozen=True, slots=True)
class TickBoxes:
    question: Question


@dataclass(frozen=True, slots=True)
class LevelChoice:
    question: Question
    code: Code


@dataclass(frozen=True, slots=True)
class Highlighter:
    """Marks snippets, or whole sentences where the question asks for them."""

    question: Question
    code: Code


@dataclass(frozen=True, slots=True)
class FlagBox:
    pass


@dataclass(frozen=True, slots=True)
class CommentBox:
    pass


Control = TickBoxes | LevelChoice | Highlighter | FlagBox | CommentBox


@dataclass(frozen=True, slots=True)
class Controls:
    by_name: dict[ControlName, Control]

    def named(self, from_name: str) -> tuple[ControlName, Control]:
        """Raises UnknownControlError where this edition has no such control."""
        name = read_control_name(from_name)
        if name not in self.by_name:
            raise UnknownControlError(f"the control {from_name!r} is not in this edition of the codebook")
        return name, self.by_name[name]


def controls_of(codebook: Codebook) -> Controls:
    by_name: dict[ControlName, Control] = {
        ControlName(ControlKind.FLAG, "", Part.POST): FlagBox(),
        ControlName(ControlKind.COMMENT, "", Part.POST): CommentBox(),
    }
    for question in codebook.questions:
        if question.answer is AnswerKind.TICK:
            by_name[ControlName(ControlKind.TICKS, question.id, question.part)] = TickBoxes(question)
    for question, code in codebook.coded_questions():
        if question.answer.has_levels:
            by_name[ControlName(ControlKind.LEVEL, code.id, question.part)] = LevelChoice(question, code)
        if question.answer is AnswerKind.SENTENCES:
            by_name[ControlName(ControlKind.SENTENCE, code.id, question.part)] = Highlighter(question, code)
        elif question.evidence is not Evidence.NONE:
            by_name[ControlName(ControlKind.SPAN, code.id, question.part)] = Highlighter(question, code)
    return Controls(by_name)
