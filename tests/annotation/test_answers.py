"""Answers have one canonical form, whatever order they were given in."""

from annotation.answers import Flag, ItemText, Judgment, Span, canonical_answers, shown_codes
from codebook.schema import Part
from codebook.shipped import load_shipped

PAIR = ItemText("i1", "Tired", "I am tired. So tired.", "Oh no. I feel with you.")
POST_ONLY = ItemText("i2", "Tired", "I am tired.", None)


def test_a_part_that_is_not_there_has_no_text_and_no_codes() -> None:
    codebook = load_shipped("empathy-practices")
    assert (POST_ONLY.text_of(Part.POST), POST_ONLY.text_of(Part.REPLY)) == ("I am tired.", None)
    parts = {question.part for question, _ in shown_codes(codebook, POST_ONLY)}
    assert parts == {Part.POST}
    assert list(shown_codes(codebook, PAIR)) == list(codebook.coded_questions())


def test_the_words_of_a_span_count_code_points() -> None:
    item = ItemText("i3", "", "👩‍👩‍👧 hi", "😀 you")
    assert item.words_of(Span("c", Part.POST, 6, 8)) == "hi"
    assert item.words_of(Span("c", Part.REPLY, 2, 5)) == "you"


def test_spans_are_sorted_by_code_and_place_and_kept_once() -> None:
    codebook = load_shipped("empathy-practices")
    first, second = (code.id for code in codebook.questions[0].codes[:2])
    late, early = Span(first, Part.POST, 5, 10), Span(first, Part.POST, 0, 4)
    other = Span(second, Part.POST, 0, 4)
    answers = canonical_answers(
        codebook, POST_ONLY, {first: 1, second: 1}, [other, late, early, late], Flag("why")
    )
    assert answers.spans == (early, late, other)
    assert answers.judgments[:2] == (Judgment(first, 1), Judgment(second, 1))
    assert {judgment.value for judgment in answers.judgments[2:]} <= {0}
    assert answers.flag == Flag("why")


def test_marked_sentences_are_their_own_judgment() -> None:
    codebook = load_shipped("empathy-cause")
    ((question, code),) = (
        (question, code) for question, code in codebook.coded_questions() if question.answer == "sentences"
    )
    mark = Span(code.id, question.part, 0, 6)
    assert Judgment(code.id, 1) in canonical_answers(codebook, PAIR, {}, [mark], None).judgments
    assert Judgment(code.id, 0) in canonical_answers(codebook, PAIR, {code.id: 1}, [], None).judgments


def test_an_unanswered_level_has_no_judgment() -> None:
    codebook = load_shipped("epitome")
    answers = canonical_answers(codebook, PAIR, {"interpretations": 2}, [], None)
    assert answers.judgments == (Judgment("interpretations", 2),)
