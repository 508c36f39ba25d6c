"""Which texts the encoder reads for which questions: made from the codebook and the kind of input alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from codebook.questions import ModelQuestion
from codebook.schema import AnswerKind, Part
from ml_backend.learners.interface import Input, context_of


@dataclass(frozen=True, slots=True)
class View:
    """A part as one sequence, after a context that shares the sequence with it."""

    part: Part
    context: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """Questions on one view; their states attend to those of other views, if any."""

    view: View
    attends_to: tuple[View, ...]
    questions: tuple[ModelQuestion, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    groups: tuple[Group, ...]

    @property
    def views(self) -> tuple[View, ...]:
        """Each once: a post that is judged and is context is read once."""
        found = [view for group in self.groups for view in (group.view, *group.attends_to)]
        return tuple(dict.fromkeys(found))


def plan_for(questions: Sequence[ModelQuestion], mode: Input) -> Plan:
    groups: dict[tuple[View, tuple[View, ...]], list[ModelQuestion]] = {}
    for question in questions:
        context = context_of(question, mode)
        if mode is Input.BI_ENCODER:
            key = (View(question.part), tuple(View(part) for part in context))
        else:
            key = (View(question.part, context), ())
        groups.setdefault(key, []).append(question)
    return Plan(tuple(Group(view, others, tuple(asked)) for (view, others), asked in groups.items()))


def has_marks(question: ModelQuestion) -> bool:
    """Whether places in the text are part of what is learned."""
    return question.wants_evidence or by_sentence(question)


def by_sentence(question: ModelQuestion) -> bool:
    return question.answer is AnswerKind.SENTENCES
