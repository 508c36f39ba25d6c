"""Practice shows what matched, what did not, and where."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.answers import Answers, ItemText, Span, canonical_answers
from annotation.gold_feedback import (
    CodeFeedback,
    Place,
    Score,
    compare_with_gold,
    score,
    span_f1,
)
from codebook.schema import Codebook, Part
from codebook.shipped import load_shipped
from tests.annotation.strategies import answers_to, items
from tests.codebook.strategies import codebooks
from tests.examples import examples

ITEM = ItemText("i1", "Tired", "I need help now, please tell me what to do", "Oh no. I feel with you.")
POST_ONLY = ItemText("i2", "Tired", ITEM.post, None)


def ticked(item: ItemText, *spans: tuple[int, int]) -> Answers:
    marks = [Span("asking-advice", Part.POST, start, end) for start, end in spans]
    return canonical_answers(
        load_shipped("empathy-practices"), item, {"asking-advice": int(bool(spans))}, marks, None
    )


def advice(gold: Answers, annotator_answers: Answers) -> CodeFeedback:
    feedback = compare_with_gold(load_shipped("empathy-practices"), ITEM, gold, annotator_answers)
    (found,) = (entry for entry in feedback if entry.code.id == "asking-advice")
    return found


def level(value: int | None) -> Answers:
    values = {} if value is None else {"interpretations": value}
    return canonical_answers(load_shipped("epitome"), ITEM, values, [], None)


@pytest.mark.parametrize(
    ("gold", "annotator_answers", "is_matched", "place"),
    [
        (ticked(ITEM, (2, 15)), ticked(ITEM, (2, 15)), True, Place.SAME),
        (ticked(ITEM, (2, 15)), ticked(ITEM, (2, 16)), True, Place.SAME),
        (ticked(ITEM, (2, 15)), ticked(ITEM, (7, 11)), True, Place.PARTLY),
        (ticked(ITEM, (2, 15)), ticked(ITEM, (24, 42)), True, Place.ELSEWHERE),
        (ticked(ITEM, (2, 15)), ticked(ITEM), False, Place.NONE),
        (ticked(ITEM), ticked(ITEM, (2, 15)), False, Place.NONE),
        (ticked(ITEM), ticked(ITEM), True, Place.NONE),
    ],
)
def test_a_tick_is_compared_and_its_words_are_placed(
    gold: Answers, annotator_answers: Answers, is_matched: bool, place: Place
) -> None:
    found = advice(gold, annotator_answers)
    assert (found.is_matched, found.place) == (is_matched, place)
    assert (found.gold_spans, found.given_spans) == (gold.spans, annotator_answers.spans)
    assert (found.overlap is None) is (place is Place.NONE)


@pytest.mark.parametrize("gold", [0, 1, 2])
@pytest.mark.parametrize("given_value", [0, 1, 2, None])
def test_levels_match_where_they_are_the_same(gold: int, given_value: int | None) -> None:
    (found,) = compare_with_gold(load_shipped("epitome"), ITEM, level(gold), level(given_value))
    assert found.is_matched is (gold == given_value)
    assert found.gold_label == found.question.levels[gold].label
    assert found.given_label == (
        "no answer" if given_value is None else found.question.levels[given_value].label
    )


def test_only_codes_of_shown_parts_are_compared() -> None:
    codebook = load_shipped("empathy-practices")
    feedback = compare_with_gold(codebook, POST_ONLY, ticked(POST_ONLY), ticked(POST_ONLY, (2, 15)))
    assert {entry.question.part for entry in feedback} == {Part.POST}
    codes = [code.id for question in codebook.questions_on(Part.POST) for code in question.codes]
    assert [entry.code.id for entry in feedback] == codes
    assert score(feedback) == Score(matched=len(codes) - 1, codes=len(codes))


def test_overlapping_highlights_count_each_character_once_and_no_space() -> None:
    spans = [Span("c", Part.POST, 0, 6), Span("c", Part.POST, 2, 11)]
    assert span_f1(ITEM, spans, [Span("c", Part.POST, 0, 11)]) == 1
    assert span_f1(ITEM, [Span("c", Part.POST, 0, 1)], [Span("c", Part.REPLY, 0, 1)]) == 0


@settings(max_examples=examples(40), deadline=None)
@given(st.data(), codebooks(), items())
def test_gold_matches_itself_and_the_overlap_is_symmetric(
    data: st.DataObject, codebook: Codebook, item: ItemText
) -> None:
    gold, other = data.draw(answers_to(codebook, item)), data.draw(answers_to(codebook, item))
    itself = compare_with_gold(codebook, item, gold, gold)
    assert score(itself) == Score(len(gold.judgments), len(gold.judgments))
    assert {entry.place for entry in itself} <= {Place.SAME, Place.NONE}
    there = compare_with_gold(codebook, item, gold, other)
    back = compare_with_gold(codebook, item, other, gold)
    assert [entry.overlap for entry in there] == [entry.overlap for entry in back]
    assert [entry.is_matched for entry in there] == [entry.is_matched for entry in back]
