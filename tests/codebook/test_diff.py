"""Between two editions a team wants to see what changed and whether earlier labels still mean the same."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codebook.diff import Change, ChangeKind, SegmentKind, compare_codebooks, word_segments
from codebook.schema import Code, Codebook, ContrastPair, Example, Question
from codebook.shipped import load_shipped
from tests.codebook.strategies import codebooks, lines
from tests.examples import examples
from tests.timing import quickest

PRACTICES = load_shipped("empathy-practices")
EPITOME = load_shipped("epitome")
VALIDATION = "Reply · Cognitive empathy · Expressing validation"


def with_question(codebook: Codebook, question_id: str, change: Callable[[Question], Question]) -> Codebook:
    questions = (change(entry) if entry.id == question_id else entry for entry in codebook.questions)
    return replace(codebook, questions=tuple(questions))


def with_code(codebook: Codebook, code_id: str, change: Callable[[Code], Code]) -> Codebook:
    def changed(question: Question) -> Question:
        return replace(
            question, codes=tuple(change(code) if code.id == code_id else code for code in question.codes)
        )

    return replace(codebook, questions=tuple(changed(question) for question in codebook.questions))


def only_change(old: Codebook, new: Codebook) -> Change:
    (change,) = compare_codebooks(old, new)
    return change


def test_a_reworded_definition_is_shown_word_by_word() -> None:
    def reword(code: Code) -> Code:
        return replace(code, definition=code.definition.replace("understandable", "sensible"))

    change = only_change(PRACTICES, with_code(PRACTICES, "expressing-validation", reword))
    assert change.where == f"{VALIDATION} · definition"
    assert change.affects_labels
    moved = [
        (segment.kind, segment.text) for segment in change.segments if segment.kind is not SegmentKind.SAME
    ]
    assert moved == [(SegmentKind.REMOVED, "understandable"), (SegmentKind.ADDED, "sensible")]


@pytest.mark.parametrize(
    ("change_code", "where", "affects_labels"),
    [
        (lambda code: replace(code, hotkey="z"), "hotkey", False),
        (lambda code: replace(code, colour="#123456"), "colour", False),
        (lambda code: replace(code, answered_by=("offering-advice",)), "answered by", False),
        (
            lambda code: replace(code, contrast_pairs=(ContrastPair("I won", "I lost", "Well done"),)),
            "contrast pairs",
            False,
        ),
        (lambda code: replace(code, name=code.name + " now"), "name", True),
        (lambda code: replace(code, applies=(*code.applies, "Also then.")), "applies", True),
        (lambda code: replace(code, not_applies=code.not_applies[1:]), "does not apply", True),
        (
            lambda code: replace(code, examples_for=(Example("Mm"), *code.examples_for[1:])),
            "example for",
            True,
        ),
        (lambda code: replace(code, examples_against=code.examples_against[:1]), "example against", True),
    ],
)
def test_each_field_of_a_code_is_compared(
    change_code: Callable[[Code], Code], where: str, affects_labels: bool
) -> None:
    change = only_change(PRACTICES, with_code(PRACTICES, "expressing-validation", change_code))
    assert change.where.endswith(f" · {where}")
    assert change.affects_labels is affects_labels


def test_codes_come_go_and_move() -> None:
    def without_first(question: Question) -> Question:
        return replace(question, codes=question.codes[1:])

    code = next(question for question in PRACTICES.questions if question.id == "cognitive-empathy").codes[0]
    shorter = with_question(PRACTICES, "cognitive-empathy", without_first)
    removed, added = only_change(PRACTICES, shorter), only_change(shorter, PRACTICES)
    assert (removed.kind, removed.where, removed.old) == (
        ChangeKind.REMOVED,
        VALIDATION,
        "Expressing validation",
    )
    assert (added.kind, added.where, added.new) == (ChangeKind.ADDED, VALIDATION, "Expressing validation")
    moved = with_question(
        shorter, "emotional-empathy", lambda entry: replace(entry, codes=(*entry.codes, code))
    )
    change = only_change(PRACTICES, moved)
    assert (change.kind, change.old, change.new) == (
        ChangeKind.MOVED,
        "Reply · Cognitive empathy",
        "Reply · Emotional empathy",
    )
    assert change.affects_labels


def test_order_alone_does_not_touch_labels() -> None:
    reordered = replace(PRACTICES, questions=tuple(reversed(PRACTICES.questions)))
    change = only_change(PRACTICES, reordered)
    assert (change.kind, change.affects_labels) == (ChangeKind.REORDERED, False)
    swapped = with_question(
        PRACTICES, "requests", lambda entry: replace(entry, codes=tuple(reversed(entry.codes)))
    )
    assert only_change(PRACTICES, swapped).where == "Post · Request · order of codes"


def test_levels_and_questions_are_compared() -> None:
    def stricter(question: Question) -> Question:
        top = replace(question.levels[-1], definition="Only if named twice.")
        return replace(question, levels=(*question.levels[:-1], top))

    change = only_change(EPITOME, with_question(EPITOME, "reaction", stricter))
    assert change.where == "Reply · Expressed empathy · level 2 · definition"
    fewer = with_question(EPITOME, "reaction", lambda entry: replace(entry, levels=entry.levels[:-1]))
    assert only_change(EPITOME, fewer).kind is ChangeKind.REMOVED
    title = only_change(EPITOME, replace(EPITOME, title="Other"))
    assert (title.where, title.affects_labels) == ("Codebook · title", False)


@settings(max_examples=examples(40), deadline=None)
@given(codebooks(), codebooks())
def test_equal_means_no_change_and_different_means_some(one: Codebook, other: Codebook) -> None:
    assert compare_codebooks(one, one) == []
    assert bool(compare_codebooks(one, other)) is (one != other)


@given(st.lists(lines).map(" ".join), st.lists(lines).map("\n\n".join))
def test_segments_spell_both_texts(old: str, new: str) -> None:
    segments = word_segments(old, new)
    assert old == "".join(entry.text for entry in segments if entry.kind is not SegmentKind.ADDED)
    assert new == "".join(entry.text for entry in segments if entry.kind is not SegmentKind.REMOVED)


def test_long_texts_are_compared_in_a_moment() -> None:
    words = [f"word{number % 400}" for number in range(20_000)]
    old, new = " ".join(words), " ".join(reversed(words))
    assert quickest(lambda: word_segments(old, new), times=1) < 5
    segments = word_segments(old, new)
    assert "".join(segment.text for segment in segments if segment.kind != SegmentKind.ADDED) == old
