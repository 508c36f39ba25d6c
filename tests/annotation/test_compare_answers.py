"""Where annotators differ, and what most of them say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.answers import ItemText, Span
from annotation.compare_answers import (
    OneSide,
    disputed_codes,
    evidence_disputed,
    majority,
    token_f1,
)
from codebook.schema import Part
from codebook.shipped import load_shipped

PRACTICES = load_shipped("empathy-practices")
EPITOME = load_shipped("epitome")
CAUSE = load_shipped("empathy-cause")
POST = "I feel so lost today. What would you do? I cannot sleep."
REPLY = "That sounds hard. I would talk to her. Take care."
ITEM = ItemText("i", "Lost", POST, REPLY)
EMOTIONS = "sharing-emotions"
QUESTION = next(question for question, code in PRACTICES.coded_questions() if code.id == EMOTIONS)
places = st.tuples(st.integers(0, len(POST)), st.integers(0, len(POST))).map(lambda pair: tuple(sorted(pair)))


def side(words: str = "", **values: int) -> OneSide:
    spans = (Span(EMOTIONS, Part.POST, POST.index(words), POST.index(words) + len(words)),) if words else ()
    return OneSide({code.replace("_", "-"): value for code, value in values.items()}, spans)


def test_codes_that_somebody_left_out_are_compared_among_the_others() -> None:
    sides = [OneSide({"a": 1, "b": 0}, ()), OneSide({"a": 1}, ()), OneSide({"a": 0, "b": 0}, ())]
    assert disputed_codes(sides, ["a", "b", "c"]) == ("a",)


def test_evidence_is_compared_among_those_who_found_the_code_and_marked_words() -> None:
    found = [side("I feel so lost", sharing_emotions=1), side("I cannot sleep", sharing_emotions=1)]
    assert evidence_disputed(POST, EMOTIONS, QUESTION, found, 0.5)
    one_silent = [found[0], side("", sharing_emotions=1), side("I cannot sleep", sharing_emotions=0)]
    assert not evidence_disputed(POST, EMOTIONS, QUESTION, one_silent, 1.0)


def test_nothing_is_below_a_threshold_of_zero() -> None:
    found = [side("I feel so lost", sharing_emotions=1), side("I cannot sleep", sharing_emotions=1)]
    assert not evidence_disputed(POST, EMOTIONS, QUESTION, found, 0.0)


def test_the_majority_keeps_the_words_that_most_of_it_marked() -> None:
    sides = [
        side("I feel so lost", sharing_emotions=1),
        side("so lost today", sharing_emotions=1),
        side("", sharing_emotions=0),
    ]
    found = majority(PRACTICES, ITEM, sides)
    assert found.side.values[EMOTIONS] == 1
    assert [POST[span.start : span.end] for span in found.side.spans] == ["so lost"]


@pytest.mark.parametrize("said", [(1, 0), (0, 1, 2), (1, 1, 0, 0), ()])
def test_without_more_than_half_nothing_is_said(said: tuple[int, ...]) -> None:
    sides = [OneSide({"emotional-reactions": value}, ()) for value in said]
    found = majority(EPITOME, ITEM, sides)
    assert "emotional-reactions" in found.open_codes
    assert "emotional-reactions" not in found.side.values


def test_marked_sentences_need_a_sentence_that_most_marked() -> None:
    _, code = next(iter(CAUSE.coded_questions()))
    text = ItemText("i", "", POST, REPLY)
    spans = [(0, 21), (22, 40), (41, 56)]
    apart = [OneSide({code.id: 1}, (Span(code.id, Part.POST, *place),)) for place in spans]
    assert code.id in majority(CAUSE, text, apart).open_codes
    together = [*apart, *[OneSide({code.id: 1}, (Span(code.id, Part.POST, 0, 21),))] * 3]
    assert majority(CAUSE, text, together).side.spans == (Span(code.id, Part.POST, 0, 21),)


@given(st.lists(places, max_size=3), st.lists(places, max_size=3))
def test_token_f1_is_symmetric_and_between_nothing_and_one(
    one: list[tuple[int, int]], other: list[tuple[int, int]]
) -> None:
    found = token_f1(POST, one, other)
    assert found == token_f1(POST, other, one)
    assert 0 <= found <= 1
    assert token_f1(POST, one, one) == 1


@given(st.permutations([("I feel so lost", 1), ("so lost today", 1), ("so lost", 1), ("", 0)]))
def test_the_majority_does_not_depend_on_who_comes_first(said: list[tuple[str, int]]) -> None:
    found = majority(PRACTICES, ITEM, [side(words, sharing_emotions=value) for words, value in said])
    assert [POST[span.start : span.end] for span in found.side.spans] == ["so lost"]
