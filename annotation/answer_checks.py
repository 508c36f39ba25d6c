"""Holds an answer that a researcher writes to the codebook and to the item's text: gold and decisions must be sound."""

from collections import Counter
from collections.abc import Iterable, Iterator

from annotation.answers import Answers, ItemText, Judgment, Span, shown_codes
from annotation.label_studio.decoding.offsets import trimmed_place
from annotation.problems import Problem, ProblemKind
from annotation.sentences import sentences
from codebook.schema import AnswerKind, Code, Codebook, Evidence, Question
from codebook.text_form import unprintable

LONGEST_REASON = 4000


def answer_problems(
    codebook: Codebook, item: ItemText, answers: Answers, *, also_named: Iterable[str] = ()
) -> Iterator[Problem]:
    """Everything that is wrong, in codebook order; `subject` is the code it is about.

    `also_named` are further codes that were written about, which have to be known and shown too.
    """
    yield from _unknown(codebook, item, answers, also_named)
    values = {judgment.code_id: judgment.value for judgment in answers.judgments}
    for question, code in shown_codes(codebook, item):
        spans = [span for span in answers.spans if span.code_id == code.id]
        if code.id not in values:
            yield _problem(ProblemKind.UNANSWERED, code, f"has no answer: {_choose(question)}.")
            continue
        yield from _check_value(question, code, values[code.id])
        yield from (problem for span in spans for problem in _check_span(item, question, code, span))
        yield from _check_evidence(question, code, values[code.id], spans)


def reason_problems(subject: str, text: str) -> Iterator[Problem]:
    """A reason that cannot be stored or that nobody would read."""
    unusable = unprintable(text)
    if unusable is not None:
        message = f"The reason holds the control character {unusable}: remove it."
        yield problem(ProblemKind.UNREADABLE, subject, message)
    if len(text) > LONGEST_REASON:
        message = f"The reason has {len(text)} characters: keep it under {LONGEST_REASON}."
        yield problem(ProblemKind.UNREADABLE, subject, message)


def problem(kind: ProblemKind, subject: str, message: str) -> Problem:
    """Whoever writes an answer here can mend it, always."""
    return Problem(kind, subject, message, fixable=True)


def _problem(kind: ProblemKind, code: Code, message: str) -> Problem:
    return problem(kind, code.id, f"“{code.name}” {message}")


def _unknown(codebook: Codebook, item: ItemText, answers: Answers, named: Iterable[str]) -> Iterator[Problem]:
    parts = {code.id: question.part for question, code in codebook.coded_questions()}
    shown = {code.id for _, code in shown_codes(codebook, item)}
    entries: list[Judgment | Span] = [*answers.judgments, *answers.spans]
    for code_id in dict.fromkeys([*(entry.code_id for entry in entries), *named]):
        if code_id not in parts:
            yield unknown_code(code_id)
        elif code_id not in shown:
            yield hidden_part(code_id, parts[code_id])
    twice = Counter(judgment.code_id for judgment in answers.judgments)
    for code_id in (code_id for code_id, times in twice.items() if times > 1):
        yield problem(ProblemKind.CONTRADICTION, code_id, f"“{code_id}” is answered twice: keep one answer.")


def unknown_code(code_id: str) -> Problem:
    message = f"This edition of the codebook has no code “{code_id[:60]}”: use the ids of its codes."
    return problem(ProblemKind.UNKNOWN_CODE, code_id, message)


def hidden_part(code_id: str, part: str) -> Problem:
    message = f"“{code_id}” is about the {part}, and this item has none: leave the code out."
    return problem(ProblemKind.HIDDEN_PART, code_id, message)


def _choose(question: Question) -> str:
    if question.answer.has_levels:
        return "choose " + ", ".join(f"{level.value} ({level.label})" for level in question.levels)
    return "choose 1 if it is there and 0 if not"


def _check_value(question: Question, code: Code, value: int) -> Iterator[Problem]:
    allowed = {level.value for level in question.levels} if question.answer.has_levels else {0, 1}
    if value not in allowed:
        yield _problem(ProblemKind.UNKNOWN_CODE, code, f"cannot be {value}: {_choose(question)}.")


def _check_span(item: ItemText, question: Question, code: Code, span: Span) -> Iterator[Problem]:
    text = item.text_of(question.part) or ""
    if span.part is not question.part:
        message = f"is judged by the {question.part}: take its words from there and not from the {span.part}."
        yield _problem(ProblemKind.WRONG_TEXT, code, message)
    elif trimmed_place(text, span.start, span.end) != (span.start, span.end):
        message = (
            f"has a quote at {span.start}–{span.end}, where the {question.part} has no words: quote it again."
        )
        yield _problem(ProblemKind.BAD_OFFSETS, code, message)
    elif question.answer is AnswerKind.SENTENCES and (span.start, span.end) not in sentences(text):
        yield _problem(ProblemKind.BAD_OFFSETS, code, "marks whole sentences: quote each from start to end.")


def _check_evidence(question: Question, code: Code, value: int, spans: list[Span]) -> Iterator[Problem]:
    if question.answer is AnswerKind.SENTENCES:
        if value != int(bool(spans)):
            yield _problem(
                ProblemKind.CONTRADICTION, code, "is there exactly if a sentence is quoted for it."
            )
    elif question.evidence is Evidence.NONE:
        if spans:
            yield _problem(ProblemKind.ORPHAN_SPAN, code, "takes no quotes: remove them.")
    elif spans and value not in question.present_values:
        yield _problem(
            ProblemKind.ORPHAN_SPAN, code, "has quotes but is not there: remove them, or answer otherwise."
        )
    elif not spans and value in question.present_values and question.evidence is Evidence.REQUIRED:
        message = f"needs evidence: quote the words of the {question.part} that show it."
        yield _problem(ProblemKind.MISSING_EVIDENCE, code, message)
