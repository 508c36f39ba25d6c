"""Which codes of an older edition a code comes from, and which of their answers still say something about it.

A code of the new edition names in `formerly` the ids that it had, or that were merged into it; several codes that name
the same one were split from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from codebook.schema import AnswerKind, Code, Codebook, Question


@dataclass(frozen=True, slots=True)
class Origin:
    """`codes` are the old ids, each of which counts; `split` are those of which only a no counts, because a yes does
    not tell which of their successors it was."""

    codes: tuple[str, ...]
    split: frozenset[str]

    @property
    def only(self) -> str | None:
        """The one code that it simply continues, under whichever id."""
        return self.codes[0] if len(self.codes) == 1 and not self.split else None


def origins(old: Codebook, new: Codebook) -> dict[str, Origin]:
    """By id of a code of the new edition; a code that comes from none is not there.

    A code also continues the one that has its own id. What is answered in another way, about another part or on other
    levels has no answers to take over under a new id.
    """
    before = {code.id: question for question, code in old.coded_questions()}
    found = {code.id: _sources(before, question, code) for question, code in new.coded_questions()}
    heirs: dict[str, int] = {}
    for sources in found.values():
        for source in sources:
            heirs[source] = heirs.get(source, 0) + 1
    return {
        code_id: Origin(sources, frozenset(source for source in sources if heirs[source] > 1))
        for code_id, sources in found.items()
        if sources
    }


def _sources(before: Mapping[str, Question], question: Question, code: Code) -> tuple[str, ...]:
    own = (code.id,) if code.id in before else ()
    return own + tuple(
        each for each in code.formerly if each in before and _is_answered_alike(before[each], question)
    )


def _is_answered_alike(old: Question, new: Question) -> bool:
    return (old.part, old.answer, old.levels) == (new.part, new.answer, new.levels)


def carried_value(question: Question, origin: Origin, values: Mapping[str, int]) -> int | None:
    """The answer for a code from those to the codes that it comes from; None where they do not settle it.

    Merged codes are there if one of them was, at the highest of their levels. With ratings on two scales nobody has
    rated what the two were merged into.

    >>> from codebook.shipped import load_shipped
    >>> ticks = load_shipped("empathy-practices").questions[0]
    >>> merged = Origin(("a", "b"), frozenset())
    >>> carried_value(ticks, merged, {"a": 0, "b": 1}), carried_value(ticks, merged, {"a": 0, "b": 0})
    (1, 0)
    >>> split = Origin(("a",), frozenset({"a"}))
    >>> carried_value(ticks, split, {"a": 0}), carried_value(ticks, split, {"a": 1})
    (0, None)
    """
    if origin.only is not None:
        return values.get(origin.only)
    absent = absent_value(question)
    known = [values.get(code) for code in origin.codes]
    if absent is None or None in known or any(values[code] != absent for code in origin.split):
        return None
    return max(values[code] for code in origin.codes)


def absent_value(question: Question) -> int | None:
    """The answer that says that a code is not there; a rating has none."""
    if question.answer is AnswerKind.SCALE:
        return None
    if question.answer is AnswerKind.LEVELS:
        return next((level.value for level in question.levels if level.absent), None)
    return 0
