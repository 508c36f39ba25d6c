"""The problems as sentences for annotators and researchers: what is wrong, and what to do about it."""

from annotation.label_studio.decoding.controls import (
    CommentBox,
    Control,
    FlagBox,
    Highlighter,
    LevelChoice,
    TickBoxes,
)
from annotation.problems import Problem, ProblemKind
from codebook.schema import Code, Part

_CONFIG = (
    "This is for a researcher: repair the batch on the sync page, then ask for the item to be done again."
)
_LONGEST_NAME = 60


def _safe(text: str) -> str:
    """A foreign name, cut and with control characters written out, so that any page and database can hold it.

    >>> _safe("a" + chr(0))
    'a\\\\x00'
    """
    return repr(text[:_LONGEST_NAME])[1:-1]


def unreadable_results() -> Problem:
    message = f"The answers of this item are not in the form that Label Studio sends. {_CONFIG}"
    return Problem(ProblemKind.UNREADABLE, "", message, fixable=False)


def unreadable_row(number: int) -> Problem:
    message = f"Answer {number} of this item is not in the form that Label Studio sends. {_CONFIG}"
    return Problem(ProblemKind.UNREADABLE, f"row {number}", message, fixable=False)


def foreign_type(row_type: str) -> Problem:
    if row_type == "relation":
        message = (
            "You linked two highlights with a relation, which this study does not use: delete the relation."
        )
        return Problem(ProblemKind.UNKNOWN_CONTROL, "relation", message, fixable=True)
    name = _safe(row_type)
    message = f"There is an answer of the type “{name}”, which our interface does not ask for. {_CONFIG}"
    return Problem(ProblemKind.UNKNOWN_CONTROL, name, message, fixable=False)


def unknown_control(from_name: str) -> Problem:
    name = _safe(from_name)
    message = (
        f"There is an answer to “{name}”, which this edition of the codebook does not ask for. {_CONFIG}"
    )
    return Problem(ProblemKind.UNKNOWN_CONTROL, name, message, fixable=False)


def unknown_choice(subject: str, asked: str, value: str) -> Problem:
    message = (
        f"“{_safe(value)}” was chosen for “{asked}”, but the codebook has no such answer to it. {_CONFIG}"
    )
    return Problem(ProblemKind.UNKNOWN_CODE, subject, message, fixable=False)


def wrong_label(code: Code) -> Problem:
    message = (
        f"A highlight for “{code.name}” does not carry that label alone: "
        f"delete the highlight, select the words again and press the label “{code.name}”."
    )
    return Problem(ProblemKind.UNKNOWN_CODE, code.id, message, fixable=True)


def wrong_text(subject: str, asked: str, to_name: str, part: Part) -> Problem:
    message = f"The answer to “{asked}” points at “{_safe(to_name)}”, but it belongs to the {part}. {_CONFIG}"
    return Problem(ProblemKind.WRONG_TEXT, subject, message, fixable=False)


def hidden_part(subject: str, asked: str, part: Part) -> Problem:
    message = f"“{asked}” was answered, but this item has no {part}. {_CONFIG}"
    return Problem(ProblemKind.HIDDEN_PART, subject, message, fixable=False)


def bad_offsets(code: Code, part: Part) -> Problem:
    message = (
        f"A highlight for “{code.name}” does not lie on any words of the {part}: "
        "delete the highlight, select the words again and press the label."
    )
    return Problem(ProblemKind.BAD_OFFSETS, code.id, message, fixable=True)


def two_answers(subject: str, asked: str) -> Problem:
    message = (
        f"There is more than one answer to “{asked}”: choose again, so that only what you mean is chosen."
    )
    return Problem(ProblemKind.CONTRADICTION, subject, message, fixable=True)


def unanswered_problem(code: Code) -> Problem:
    message = f"You did not answer for “{code.name}”: choose one of its answers."
    return Problem(ProblemKind.UNANSWERED, code.id, message, fixable=True)


def missing_evidence(code: Code, chosen: str | None) -> Problem:
    did = "ticked" if chosen is None else f"chose “{chosen}” for"
    message = f"You {did} “{code.name}” but highlighted nothing for it: select the words and press the label."
    return Problem(ProblemKind.MISSING_EVIDENCE, code.id, message, fixable=True)


def orphan_span(code: Code, chosen: str | None) -> Problem:
    did, better = "did not tick it", "tick the box"
    if chosen is not None:
        did, better = f"chose “{chosen}”", "choose another answer"
    message = f"You highlighted words for “{code.name}” but {did}: {better}, or delete the highlight."
    return Problem(ProblemKind.ORPHAN_SPAN, code.id, message, fixable=True)


def asked_by(control: Control) -> tuple[str, str]:
    """The id of what a control asks for, and its words."""
    match control:
        case TickBoxes(question):
            return question.id, question.text
        case LevelChoice(_, code) | Highlighter(_, code):
            return code.id, code.name
        case FlagBox():
            return "flag", "I am not sure: discuss"
        case CommentBox():
            return "comment", "What are you unsure about?"
