"""Codes are renamed, merged and split between editions; what was answered counts on where it says what it said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from codebook.diff import ChangeKind, compare_codebooks
from codebook.editions import canonical_json, codebook_from_canonical
from codebook.loader import parse_codebook
from codebook.problems import CodebookError
from codebook.recoding import Origin, carried_value, origins
from codebook.schema import AnswerKind, Code, Codebook, Level, Part, Question
from codebook.shipped import load_shipped

PRACTICES = load_shipped("empathy-practices")
ADVICE, SUPPORT = (code.id for code in PRACTICES.questions[0].codes[:2])


def with_codes(codebook: Codebook, change: Callable[[tuple[Code, ...]], tuple[Code, ...]]) -> Codebook:
    """Another edition, in which the codes of the first question are others."""
    first, *others = codebook.questions
    return replace(codebook, questions=(replace(first, codes=change(first.codes)), *others))


def renamed(codes: tuple[Code, ...]) -> tuple[Code, ...]:
    return (replace(codes[0], id="wanting-advice", formerly=(codes[0].id,)), *codes[1:])


def merged(codes: tuple[Code, ...]) -> tuple[Code, ...]:
    one = replace(codes[0], id="asking", name="Asking", formerly=(codes[0].id, codes[1].id))
    return (one, *codes[2:])


def split(codes: tuple[Code, ...]) -> tuple[Code, ...]:
    practical = replace(codes[0], id="asking-what-to-do", name="Asking what to do", formerly=(codes[0].id,))
    moral = replace(
        codes[0], id="asking-who-is-right", name="Asking who is right", formerly=(codes[0].id,), hotkey="z"
    )
    return (practical, replace(moral, colour="#123456"), *codes[1:])


def test_a_code_continues_those_that_it_names_and_the_one_with_its_id() -> None:
    assert origins(PRACTICES, PRACTICES)[ADVICE].only == ADVICE
    assert origins(PRACTICES, with_codes(PRACTICES, renamed))["wanting-advice"].only == ADVICE
    assert origins(PRACTICES, with_codes(PRACTICES, merged))["asking"] == Origin(
        (ADVICE, SUPPORT), frozenset()
    )
    found = origins(PRACTICES, with_codes(PRACTICES, split))
    assert (
        found["asking-what-to-do"] == found["asking-who-is-right"] == Origin((ADVICE,), frozenset({ADVICE}))
    )
    into_another = with_codes(
        PRACTICES, lambda codes: (replace(codes[0], formerly=(codes[1].id,)), *codes[2:])
    )
    assert origins(PRACTICES, into_another)[ADVICE] == Origin((ADVICE, SUPPORT), frozenset())


def test_what_stays_and_gives_a_part_away_is_split_too() -> None:
    def given_away(codes: tuple[Code, ...]) -> tuple[Code, ...]:
        part = replace(codes[0], id="asking-who-is-right", name="Other", formerly=(ADVICE,), hotkey="z")
        return (*codes, replace(part, colour="#123456"))

    found = origins(PRACTICES, with_codes(PRACTICES, given_away))
    assert found[ADVICE] == found["asking-who-is-right"] == Origin((ADVICE,), frozenset({ADVICE}))


def test_what_is_answered_in_another_way_takes_nothing_over() -> None:
    def to_sentences(question: Question) -> Question:
        return replace(question, answer=AnswerKind.SENTENCES)

    new = with_codes(PRACTICES, renamed)
    assert "wanting-advice" not in origins(
        replace(PRACTICES, questions=tuple(map(to_sentences, PRACTICES.questions))), new
    )
    replies = tuple(replace(question, part=Part.REPLY) for question in PRACTICES.questions)
    assert "wanting-advice" not in origins(replace(PRACTICES, questions=replies), new)


def test_merged_levels_take_the_highest_and_ratings_take_none() -> None:
    levels = (
        Level(0, "None", "Not there.", absent=True),
        Level(1, "Weak", "A bit."),
        Level(2, "Strong", "Much."),
    )
    question = replace(PRACTICES.questions[0], answer=AnswerKind.LEVELS, levels=levels)
    both = Origin(("a", "b"), frozenset())
    assert [carried_value(question, both, {"a": 1, "b": other}) for other in (0, 1, 2)] == [1, 1, 2]
    assert carried_value(question, both, {"a": 2}) is None
    without_absent = replace(question, levels=tuple(replace(level, absent=False) for level in levels))
    assert carried_value(without_absent, both, {"a": 1, "b": 1}) is None
    rating = replace(without_absent, answer=AnswerKind.SCALE)
    assert carried_value(rating, both, {"a": 1, "b": 1}) is None
    assert carried_value(rating, Origin(("a",), frozenset()), {"a": 1}) == 1


@pytest.mark.parametrize(
    ("change", "kinds"),
    [
        (renamed, [(ChangeKind.RENAMED, ADVICE, "wanting-advice", False)]),
        (merged, [(ChangeKind.MERGED, "Asking advice + Asking support", "Asking", True)]),
        (
            split,
            [
                (ChangeKind.SPLIT, "Asking advice", "Asking what to do", True),
                (ChangeKind.SPLIT, "Asking advice", "Asking who is right", True),
            ],
        ),
    ],
)
def test_the_comparison_of_editions_says_what_became_of_a_code(
    change: Callable[[tuple[Code, ...]], tuple[Code, ...]], kinds: list[tuple[ChangeKind, str, str, bool]]
) -> None:
    names = {code.id: code.name for code in PRACTICES.questions[0].codes}
    expected = [
        (
            kind,
            old.replace("Asking support", names[SUPPORT]).replace("Asking advice", names[ADVICE]),
            new,
            affects,
        )
        for kind, old, new, affects in kinds
    ]
    changes = compare_codebooks(PRACTICES, with_codes(PRACTICES, change))
    assert [(each.kind, each.old, each.new, each.affects_labels) for each in changes] == expected


def test_former_ids_are_kept_in_the_edition_and_change_no_other() -> None:
    new = with_codes(PRACTICES, merged)
    assert codebook_from_canonical(canonical_json(new)) == new
    assert "formerly" not in canonical_json(PRACTICES)


def test_former_ids_that_make_no_sense_are_refused() -> None:
    text = canonical_json(with_codes(PRACTICES, merged))
    both = f'"formerly":["{ADVICE}","{SUPPORT}"]'
    assert both in text
    for wrong, words in (
        ('"formerly":["asking"]', "names itself in `formerly`"),
        (f'"formerly":["{ADVICE}","{ADVICE}"]', "listed twice"),
        ('"formerly":["Asking Advice"]', "small letters"),
        ('"formerly":[]', "is an empty list"),
    ):
        with pytest.raises(CodebookError, match=words):
            parse_codebook(text.replace(both, wrong), source="new.yaml")
