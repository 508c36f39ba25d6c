"""Says what changed between two editions in words a team can discuss, and what that does to their labels."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import zip_longest

from codebook.recoding import Origin, origins
from codebook.schema import Code, Codebook, ContrastPair, Example, Level, Question


class ChangeKind(StrEnum):
    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"
    RENAMED = "renamed"
    MERGED = "merged"
    SPLIT = "split"
    REORDERED = "reordered"


# Shows what changed inside a text, word by word, ready to be rendered as deletions and insertions.
# A word keeps the space behind it: tokens that are all alike would make the comparison quadratic.
_WORD = re.compile(r"\s+|\w+\s*|[^\w\s]\s*")
_SENTENCE = re.compile(r"[^.!?]*[.!?]*\s*")
_MOST_PAIRS = 250_000


class SegmentKind(StrEnum):
    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Segment:
    kind: SegmentKind
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """`affects_labels`: earlier judgments may not mean the same under the new edition."""

    kind: ChangeKind
    where: str
    old: str
    new: str
    segments: tuple[Segment, ...]
    affects_labels: bool


def compare_codebooks(old: Codebook, new: Codebook) -> list[Change]:
    """Every difference, in the order of the new edition, removals last within their level."""
    return [
        *_text("Codebook · name", old.name, new.name, False),
        *_text("Codebook · title", old.title, new.title, False),
        *_text("Codebook · description", old.description, new.description, False),
        *_text("Codebook · language", old.language, new.language, True),
        *_text("Codebook · parts", ", ".join(old.parts), ", ".join(new.parts), True),
        *_questions(old, new),
        *_codes(old, new),
    ]


def _questions(old: Codebook, new: Codebook) -> Iterator[Change]:
    before = {question.id: question for question in old.questions}
    after = {question.id: question for question in new.questions}
    for question_id, question in after.items():
        if question_id in before:
            yield from _question(before[question_id], question)
        else:
            yield _change(ChangeKind.ADDED, _question_place(question), "", question.text, True)
    for question_id, question in before.items():
        if question_id not in after:
            yield _change(ChangeKind.REMOVED, _question_place(question), question.text, "", True)
    yield from _order("Codebook · order of questions", list(before), list(after))


def _question(old: Question, new: Question) -> Iterator[Change]:
    place = _question_place(new)
    yield from _text(f"{place} · part", old.part, new.part, True)
    yield from _text(f"{place} · context", ", ".join(old.context), ", ".join(new.context), True)
    yield from _text(f"{place} · category", old.category, new.category, False)
    yield from _text(f"{place} · question text", old.text, new.text, True)
    yield from _text(f"{place} · answer", old.answer, new.answer, True)
    yield from _text(f"{place} · evidence", old.evidence, new.evidence, True)
    yield from _contrast_pairs(place, old.contrast_pairs, new.contrast_pairs)
    before = {level.value: level for level in old.levels}
    after = {level.value: level for level in new.levels}
    for value in sorted(before.keys() | after.keys()):
        yield from _level(f"{place} · level {value}", before.get(value), after.get(value))
    kept = {code.id for code in old.codes} & {code.id for code in new.codes}
    order = [[code.id for code in question.codes if code.id in kept] for question in (old, new)]
    yield from _order(f"{place} · order of codes", order[0], order[1])


def _level(place: str, old: Level | None, new: Level | None) -> Iterator[Change]:
    if old is not None and new is not None:
        yield from _text(f"{place} · label", old.label, new.label, True)
        yield from _text(f"{place} · definition", old.definition, new.definition, True)
        yield from _text(f"{place} · absent", str(old.absent).lower(), str(new.absent).lower(), True)
    elif new is not None:
        yield _change(ChangeKind.ADDED, place, "", new.label, True)
    elif old is not None:
        yield _change(ChangeKind.REMOVED, place, old.label, "", True)


def _codes(old: Codebook, new: Codebook) -> Iterator[Change]:
    before = {code.id: (question, code) for question, code in old.coded_questions()}
    after = {code.id: (question, code) for question, code in new.coded_questions()}
    came_from = origins(old, new)
    for code_id, (question, code) in after.items():
        place = f"{_question_place(question)} · {code.name}"
        origin = came_from.get(code_id)
        if origin is None:
            yield _change(ChangeKind.ADDED, place, "", code.name, True)
            continue
        yield from _origin(place, origin, code, {each: before[each][1].name for each in origin.codes})
        continues = origin.only or code_id
        if continues not in before:
            continue
        old_question, old_code = before[continues]
        if old_question.id != question.id:
            was, becomes = _question_place(old_question), _question_place(question)
            yield _change(ChangeKind.MOVED, place, was, becomes, True)
        yield from _code(place, old_code, code)
        if continues == code_id and origin.only:
            yield from _text(
                f"{place} · formerly", ", ".join(old_code.formerly), ", ".join(code.formerly), False
            )
    continued = {source for origin in came_from.values() for source in origin.codes}
    for code_id, (question, code) in before.items():
        if code_id not in continued:
            place = f"{_question_place(question)} · {code.name}"
            yield _change(ChangeKind.REMOVED, place, code.name, "", True)


def _origin(place: str, origin: Origin, code: Code, names: Mapping[str, str]) -> Iterator[Change]:
    if origin.split:
        yield _change(ChangeKind.SPLIT, place, " + ".join(names.values()), code.name, True)
    elif origin.only is None:
        yield _change(ChangeKind.MERGED, place, " + ".join(names.values()), code.name, True)
    elif origin.only != code.id:
        yield _change(ChangeKind.RENAMED, f"{place} · id", origin.only, code.id, False)


def _code(place: str, old: Code, new: Code) -> Iterator[Change]:
    yield from _text(f"{place} · name", old.name, new.name, True)
    yield from _text(f"{place} · definition", old.definition, new.definition, True)
    yield from _texts(f"{place} · applies", old.applies, new.applies)
    yield from _texts(f"{place} · does not apply", old.not_applies, new.not_applies)
    yield from _texts(f"{place} · example for", _lines(old.examples_for), _lines(new.examples_for))
    yield from _texts(
        f"{place} · example against", _lines(old.examples_against), _lines(new.examples_against)
    )
    yield from _text(f"{place} · hotkey", old.hotkey, new.hotkey, False)
    yield from _text(f"{place} · colour", old.colour, new.colour, False)
    yield from _text(f"{place} · answered by", ", ".join(old.answered_by), ", ".join(new.answered_by), False)
    yield from _contrast_pairs(place, old.contrast_pairs, new.contrast_pairs)


def _contrast_pairs(place: str, old: Sequence[ContrastPair], new: Sequence[ContrastPair]) -> Iterator[Change]:
    before, after = ("; ".join(f"{e.post} / {e.contrary} / {e.reply}" for e in each) for each in (old, new))
    yield from _text(f"{place} · contrast pairs", before, after, False)


def _text(where: str, old: str, new: str, affects_labels: bool) -> Iterator[Change]:
    if old != new:
        yield _change(ChangeKind.CHANGED, where, old, new, affects_labels)


def _texts(where: str, old: Sequence[str], new: Sequence[str]) -> Iterator[Change]:
    """Entry by entry; entries that stand at the same place of a changed stretch count as reworded."""
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for operation, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if operation == "equal":
            continue
        for before, after in zip_longest(old[old_from:old_to], new[new_from:new_to]):
            if before is None:
                yield _change(ChangeKind.ADDED, where, "", after, True)
            elif after is None:
                yield _change(ChangeKind.REMOVED, where, before, "", True)
            else:
                yield _change(ChangeKind.CHANGED, where, before, after, True)


def _order(where: str, old: list[str], new: list[str]) -> Iterator[Change]:
    kept_old = [entry for entry in old if entry in new]
    kept_new = [entry for entry in new if entry in old]
    if kept_old != kept_new:
        yield _change(ChangeKind.REORDERED, where, ", ".join(kept_old), ", ".join(kept_new), False)


def _lines(examples: tuple[Example, ...]) -> list[str]:
    return [f"{example.text} ({example.why})" if example.why else example.text for example in examples]


def _question_place(question: Question) -> str:
    return f"{question.part.capitalize()} · {question.category}"


def _change(kind: ChangeKind, where: str, old: str, new: str, affects_labels: bool) -> Change:
    return Change(kind, where, old, new, word_segments(old, new), affects_labels)


def _tokens(old: str, new: str) -> tuple[list[str], list[str]]:
    """Words, or sentences where there are too many words to compare each with each, or the whole texts."""
    for token in (_WORD, _SENTENCE):
        before, after = token.findall(old), token.findall(new)
        if len(before) * len(after) <= _MOST_PAIRS:
            return before, after
    return [old], [new]


def word_segments(old: str, new: str) -> tuple[Segment, ...]:
    """Same and removed segments spell `old`; same and added segments spell `new`.

    >>> [f"{segment.kind}:{segment.text}" for segment in word_segments("a short text", "a long text")]
    ['same:a ', 'removed:short ', 'added:long ', 'same:text']
    """
    before, after = _tokens(old, new)
    segments: list[Segment] = []
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for operation, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        removed, added = "".join(before[old_from:old_to]), "".join(after[new_from:new_to])
        if operation == "equal":
            segments.append(Segment(SegmentKind.SAME, removed))
            continue
        if removed:
            segments.append(Segment(SegmentKind.REMOVED, removed))
        if added:
            segments.append(Segment(SegmentKind.ADDED, added))
    return tuple(segments)
