"""The questions a model must answer, one per code: prompts and heads follow from the codebook alone."""

from dataclasses import dataclass

from codebook.schema import AnswerKind, Code, Codebook, Evidence, Example, Part, Question


@dataclass(frozen=True, slots=True)
class AnswerValue:
    value: int
    label: str
    definition: str
    wants_evidence: bool
    absent: bool = False


@dataclass(frozen=True, slots=True)
class ModelQuestion:
    """For `sentences` the values are given once for each sentence of the part."""

    code_id: str
    question_id: str
    category: str
    name: str
    part: Part
    context: tuple[Part, ...]
    text: str
    answer: AnswerKind
    values: tuple[AnswerValue, ...]
    wants_evidence: bool
    definition: str
    applies: tuple[str, ...]
    not_applies: tuple[str, ...]
    examples_for: tuple[Example, ...] = ()
    examples_against: tuple[Example, ...] = ()

    @property
    def absent_value(self) -> int | None:
        """The answer that says that the code is not there; a rating scale has none."""
        return next((each.value for each in self.values if each.absent), None)


def model_questions(codebook: Codebook) -> tuple[ModelQuestion, ...]:
    return tuple(_model_question(question, code) for question, code in codebook.coded_questions())


def _model_question(question: Question, code: Code) -> ModelQuestion:
    return ModelQuestion(
        code_id=code.id,
        question_id=question.id,
        category=question.category,
        name=code.name,
        part=question.part,
        context=question.context,
        text=_sentence(question, code),
        answer=question.answer,
        values=_values(question),
        wants_evidence=question.evidence is not Evidence.NONE,
        definition=code.definition,
        applies=code.applies,
        not_applies=code.not_applies,
        examples_for=code.examples_for,
        examples_against=code.examples_against,
    )


def _sentence(question: Question, code: Code) -> str:
    match question.answer:
        case AnswerKind.TICK:
            return f"Does the {question.part} show “{code.name}”?"
        case AnswerKind.LEVELS:
            labels = ", ".join(level.label for level in question.levels)
            return f"To what degree does the {question.part} show “{code.name}” ({labels})?"
        case AnswerKind.SCALE:
            low, high = question.levels[0], question.levels[-1]
            scale = f"from {low.value} ({low.label}) to {high.value} ({high.label})"
            return f"Where does the {question.part} stand on “{code.name}”, {scale}?"
        case AnswerKind.SENTENCES:
            return f"Which sentences of the {question.part} show “{code.name}”?"


def _values(question: Question) -> tuple[AnswerValue, ...]:
    if question.answer.has_levels:
        return tuple(
            AnswerValue(
                level.value, level.label, level.definition, question.asks_evidence_at(level), level.absent
            )
            for level in question.levels
        )
    wants_evidence = question.evidence is not Evidence.NONE
    return (AnswerValue(0, "no", "", False, True), AnswerValue(1, "yes", "", wants_evidence))
