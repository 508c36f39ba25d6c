"""Gold as people write it: a value, quotes and a reason for each code; turned into answers and back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from annotation.answer_checks import hidden_part, problem, unknown_code
from annotation.answers import Answers, ItemText, Span, canonical_answers, shown_codes
from annotation.label_studio.decoding.offsets import marked_sentences
from annotation.problems import Problem, ProblemKind
from backend.annotate.practice.gold import Reasons, gold_problems
from codebook.schema import AnswerKind, Code, Codebook, Part, Question


@dataclass(frozen=True, slots=True)
class CodeEntry:
    """`ticked` is another way to say 1 or 0, for codes without levels."""

    value: int | None = None
    ticked: bool | None = None
    quotes: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class GoldEntry:
    codes: Mapping[str, CodeEntry]
    remark: str = ""


@dataclass(slots=True)
class EntryReading:
    """`notes` tell of what was understood in one of several ways; gold is sound if there are no problems."""

    answers: Answers
    reasons: Reasons
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]


@dataclass(slots=True)
class _Findings:
    """`kept` are the spans that stand already and still wait for the quote that means them."""

    kept: list[Span]
    values: dict[str, int] = field(default_factory=dict)
    spans: list[Span] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def read_entry(
    codebook: Codebook, item: ItemText, entry: GoldEntry, *, prior: tuple[Span, ...] = ()
) -> EntryReading:
    """A tick that is not mentioned is not there; every level and rating must be given.

    A quote means the first place where its words occur, unless `prior` has the same words for the same code:
    whoever edits an entry leaves untouched quotes where they were.
    """
    found = _Findings(kept=list(prior), problems=list(_find_misplaced(codebook, item, entry)))
    for question, code in shown_codes(codebook, item):
        _read_code(item, question, code, entry.codes.get(code.id, CodeEntry()), found)
    answers = canonical_answers(codebook, item, found.values, found.spans, None)
    shown = {code.id for _, code in shown_codes(codebook, item)}
    why = {code_id: given.why.strip() for code_id, given in entry.codes.items() if code_id in shown}
    reasons = Reasons({code_id: text for code_id, text in why.items() if text}, entry.remark.strip())
    troubled = {problem.subject for problem in found.problems}
    further = gold_problems(codebook, item, answers, reasons)
    # What is missing may be what could not be read: mending the one mends both.
    problems = found.problems + [problem for problem in further if problem.subject not in troubled]
    return EntryReading(answers, reasons, tuple(problems), tuple(found.notes))


def entry_of(item: ItemText, answers: Answers, reasons: Reasons) -> GoldEntry:
    """What one would write to get these answers; quotes are on one line each."""
    quotes: dict[str, list[str]] = {}
    for span in answers.spans:
        quotes.setdefault(span.code_id, []).append(_one_line(item.words_of(span)))
    return GoldEntry(
        {
            judgment.code_id: CodeEntry(
                value=judgment.value,
                quotes=tuple(quotes.get(judgment.code_id, ())),
                why=reasons.by_code.get(judgment.code_id, ""),
            )
            for judgment in answers.judgments
        },
        reasons.remark,
    )


def _find_misplaced(codebook: Codebook, item: ItemText, entry: GoldEntry) -> Iterator[Problem]:
    parts = {code.id: question.part for question, code in codebook.coded_questions()}
    for code_id in entry.codes:
        if code_id not in parts:
            yield unknown_code(code_id)
        elif item.text_of(parts[code_id]) is None:
            yield hidden_part(code_id, parts[code_id])


def _read_code(item: ItemText, question: Question, code: Code, entry: CodeEntry, found: _Findings) -> None:
    given = {int(value) for value in (entry.value, entry.ticked) if value is not None}
    if entry.ticked is not None and question.answer.has_levels:
        message = f"“{code.name}” has levels: give its `value` and not `ticked`."
        found.problems.append(problem(ProblemKind.CONTRADICTION, code.id, message))
    elif len(given) > 1:
        message = f"“{code.name}” has a `value` and a `ticked` that differ: keep one of them."
        found.problems.append(problem(ProblemKind.CONTRADICTION, code.id, message))
    elif given:
        found.values[code.id] = given.pop()
    elif not question.answer.has_levels:
        found.values[code.id] = int(any(quote.strip() for quote in entry.quotes))
    for quote in filter(str.strip, entry.quotes):
        _read_quote(item, question, code, quote, found)
    marked = any(span.code_id == code.id for span in found.spans)
    if question.answer is AnswerKind.SENTENCES and found.values.get(code.id, int(marked)) != int(marked):
        message = f"“{code.name}” is there exactly if a sentence is quoted for it: quote one, or say that it is not."
        found.problems.append(problem(ProblemKind.CONTRADICTION, code.id, message))


def _read_quote(item: ItemText, question: Question, code: Code, quote: str, found: _Findings) -> None:
    kept = next((span for span in found.kept if _means(item, span, code, quote)), None)
    if kept is not None and kept.part is question.part:
        found.kept.remove(kept)
        found.spans.append(kept)
        return
    text = item.text_of(question.part) or ""
    places = _places(text, quote)
    if not places:
        message = f"“{code.name}”: {_where_else(item, question.part, quote)}"
        found.problems.append(problem(ProblemKind.WRONG_TEXT, code.id, message))
        return
    if len(places) > 1:
        found.notes.append(
            f"“{code.name}”: “{_short(quote)}” occurs {len(places)} times in the {question.part}; the first counts. "
            "Quote more words around it to mean another."
        )
    start, end = places[0]
    marked = (
        marked_sentences(text, start, end) if question.answer is AnswerKind.SENTENCES else ((start, end),)
    )
    found.spans.extend(Span(code.id, question.part, *place) for place in marked)


def _means(item: ItemText, span: Span, code: Code, quote: str) -> bool:
    return span.code_id == code.id and _one_line(item.words_of(span)) == _one_line(quote)


def _places(text: str, quote: str) -> list[tuple[int, int]]:
    """Where the words stand on their own, or else where they are a piece of longer words.

    >>> _places("I know. No!", "no"), _places("I know. No!", "No")
    ([(3, 5)], [(8, 10)])
    """
    found = [match.span() for match in _pattern(quote).finditer(text)]
    return [place for place in found if not _cuts_a_word(text, *place)] or found


def _cuts_a_word(text: str, start: int, end: int) -> bool:
    return bool(re.fullmatch(r"\w\w", text[max(0, start - 1) : start + 1])) or bool(
        re.fullmatch(r"\w\w", text[end - 1 : end + 1])
    )


def _pattern(quote: str) -> re.Pattern[str]:
    """Line breaks and runs of spaces are all one space to whoever copies words from a page."""
    return re.compile(r"\s+".join(re.escape(word) for word in quote.split()))


def _where_else(item: ItemText, part: Part, quote: str) -> str:
    pattern, words = _pattern(quote), _short(quote)
    for other in Part:
        if other is not part and pattern.search(item.text_of(other) or ""):
            return f"“{words}” is in the {other}, but the code is judged by the {part}: quote the {part}."
    if pattern.search(item.title):
        return f"“{words}” is in the title, which cannot be highlighted: quote the {part} itself."
    return f"“{words}” is not in the {part}: copy the words exactly as they stand there."


def _one_line(words: str) -> str:
    return " ".join(words.split())


def _short(quote: str) -> str:
    words = _one_line(quote)
    return words if len(words) <= 80 else f"{words[:77]}…"
