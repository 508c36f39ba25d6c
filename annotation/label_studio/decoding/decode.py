"""Reads the rows of one annotation against the codebook and the item, and says what is wrong with them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from annotation.answers import Answers, Flag, ItemText, canonical_answers, shown_codes
from annotation.label_studio.decoding import messages
from annotation.label_studio.decoding.controls import CommentBox, FlagBox, LevelChoice, TickBoxes
from annotation.label_studio.decoding.reading import Reading
from annotation.problems import Problem, ProblemKind
from codebook.schema import Code, Codebook, Evidence, Question


@dataclass(frozen=True, slots=True)
class Decoding:
    """`answers` is what could be read; it is sound only if there are no problems."""

    answers: Answers
    problems: tuple[Problem, ...]


def decode_results(codebook: Codebook, item: ItemText, results: object) -> Decoding:
    """Whatever JSON comes, this answers and never raises."""
    reading = Reading(codebook, item)
    if isinstance(results, list):
        for number, raw in enumerate(results, start=1):
            reading.read(number, raw)
    else:
        reading.problems.append(messages.unreadable_results())
    answers = canonical_answers(codebook, item, _values(reading), reading.spans, _flag(reading))
    problems = [*reading.problems, *_contradictions(reading)]
    # What seems to be missing may stand in the rows that could not be read.
    if not any(problem.kind is ProblemKind.UNREADABLE for problem in problems):
        problems.extend(_incomplete(codebook, item, answers, problems))
    return Decoding(answers, tuple(dict.fromkeys(problems)))


def _values(reading: Reading) -> dict[str, int]:
    """Ticks and levels by code id; a level for which two were chosen has no value."""
    values: dict[str, int] = {}
    for name, choices in reading.chosen.items():
        control = reading.controls.by_name[name]
        chosen = list(frozenset[str]().union(*choices))
        match control:
            case TickBoxes():
                values.update(dict.fromkeys(chosen, 1))
            case LevelChoice() if len(chosen) == 1:
                values[control.code.id] = int(chosen[0])
    return values


def _flag(reading: Reading) -> Flag | None:
    """A comment alone is no flag: its box was unticked again."""
    flagged = any(
        isinstance(reading.controls.by_name[name], FlagBox) and any(choices)
        for name, choices in reading.chosen.items()
    )
    return Flag("\n".join(filter(None, dict.fromkeys(reading.comments)))) if flagged else None


def _contradictions(reading: Reading) -> list[Problem]:
    found = []
    for name, choices in reading.chosen.items():
        control = reading.controls.by_name[name]
        at_most_one = isinstance(control, LevelChoice)
        if len(set(choices)) > 1 or (at_most_one and len(choices[0]) > 1):
            found.append(messages.two_answers(*messages.asked_by(control)))
    if len(set(reading.comments)) > 1:
        found.append(messages.two_answers(*messages.asked_by(CommentBox())))
    return found


def _incomplete(
    codebook: Codebook, item: ItemText, answers: Answers, known: Iterable[Problem]
) -> Iterator[Problem]:
    """Answers and highlights that do not belong together: something is missing, or left over.

    A code with a known problem is not also called unanswered or without evidence: mending the one mends both."""
    values = {judgment.code_id: judgment.value for judgment in answers.judgments}
    marked = {span.code_id for span in answers.spans}
    troubled = {problem.subject for problem in known}
    for question, code in shown_codes(codebook, item):
        value = values.get(code.id)
        if value is None:
            if code.id not in troubled:
                yield messages.unanswered_problem(code)
        elif question.answer.takes_evidence:
            yield from _check_evidence(question, code, value, code.id in marked, code.id in troubled)


def _check_evidence(
    question: Question, code: Code, value: int, is_marked: bool, is_troubled: bool
) -> Iterator[Problem]:
    is_there = value in question.present_values
    label = question.label_of(value) if question.answer.has_levels else None
    if is_marked and not is_there:
        yield messages.orphan_span(code, label)
    if is_there and not is_marked and not is_troubled and question.evidence is Evidence.REQUIRED:
        yield messages.missing_evidence(code, label)
