"""A question knows which of its answers say that a code is there, and how each is called."""

import pytest

from codebook.schema import AnswerKind, Question
from codebook.shipped import load_shipped, shipped_codebooks


def question_with(answer: AnswerKind) -> Question:
    return next(
        question
        for name in shipped_codebooks()
        for question in load_shipped(name).questions
        if question.answer is answer
    )


@pytest.mark.parametrize(
    ("answer", "present"),
    [
        (AnswerKind.TICK, {1}),
        (AnswerKind.SENTENCES, {1}),
        (AnswerKind.LEVELS, {1, 2}),
        (AnswerKind.SCALE, set()),
    ],
)
def test_which_answers_say_that_a_code_is_there(answer: AnswerKind, present: set[int]) -> None:
    assert question_with(answer).present_values == present


def test_answers_are_named_in_words() -> None:
    ticks, levels = question_with(AnswerKind.TICK), question_with(AnswerKind.LEVELS)
    assert [ticks.label_of(value) for value in (0, 1)] == ["no", "yes"]
    assert [levels.label_of(level.value) for level in levels.levels] == [
        level.label for level in levels.levels
    ]
    assert levels.label_of(99) == "99"
