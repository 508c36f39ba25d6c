"""Gold that does not fit the codebook or the text is refused, with what to do about it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotation.answer_checks import LONGEST_REASON
from annotation.answers import Answers, Flag, ItemText, Judgment, Span, canonical_answers
from annotation.problems import ProblemKind
from backend.annotate.practice.gold import Reasons, gold_problems
from codebook.schema import Part
from codebook.shipped import load_shipped
from tests.backend.annotate.practice.fixtures import POST, PRACTICES, REPLY

ITEM = ItemText("i", "Hall", POST, REPLY)
EPITOME = load_shipped("epitome")
CAUSE = load_shipped("empathy-cause")
CRIED = Span("sharing-emotions", Part.POST, POST.index("cried"), POST.index("cried") + 5)


def gold(values: dict[str, int], *spans: Span) -> Answers:
    return canonical_answers(PRACTICES, ITEM, values, spans, None)


def kinds(answers: Answers, reasons: Reasons | None = None) -> list[tuple[ProblemKind, str]]:
    found = gold_problems(PRACTICES, ITEM, answers, reasons or Reasons())
    assert all(problem.fixable and problem.message.endswith(".") for problem in found)
    return [(problem.kind, problem.subject) for problem in found]


def test_sound_gold_has_no_problem() -> None:
    assert kinds(gold({"sharing-emotions": 1}, CRIED)) == []


def test_a_tick_without_required_words() -> None:
    assert kinds(gold({"sharing-emotions": 1})) == [(ProblemKind.MISSING_EVIDENCE, "sharing-emotions")]


def test_words_without_their_tick() -> None:
    assert kinds(gold({}, CRIED)) == [(ProblemKind.ORPHAN_SPAN, "sharing-emotions")]


def test_a_value_that_is_no_answer() -> None:
    assert (ProblemKind.UNKNOWN_CODE, "sharing-emotions") in kinds(gold({"sharing-emotions": 2}, CRIED))


def test_a_code_that_the_edition_does_not_have() -> None:
    answers = gold({})
    foreign = replace(answers, judgments=(*answers.judgments, Judgment("kindness", 1)))
    assert kinds(foreign) == [(ProblemKind.UNKNOWN_CODE, "kindness")]
    assert kinds(answers, Reasons({"kindness": "why"})) == [(ProblemKind.UNKNOWN_CODE, "kindness")]


def test_a_code_about_a_reply_that_is_not_there() -> None:
    alone = replace(ITEM, reply=None)
    found = gold_problems(PRACTICES, alone, gold({}), Reasons())
    assert {problem.kind for problem in found} == {ProblemKind.HIDDEN_PART}
    assert len(found) == 7


def test_every_shown_code_needs_an_answer_and_only_one() -> None:
    answers = gold({})
    assert kinds(replace(answers, judgments=answers.judgments[1:])) == [
        (ProblemKind.UNANSWERED, "asking-advice")
    ]
    twice = replace(answers, judgments=(*answers.judgments, Judgment("asking-advice", 0)))
    assert kinds(twice) == [(ProblemKind.CONTRADICTION, "asking-advice")]


@pytest.mark.parametrize("place", [(0, 999), (-1, 3), (5, 5), (6, 3), (1, 7)])
def test_a_place_where_no_words_are(place: tuple[int, int]) -> None:
    """The last one begins with a space."""
    span = Span("sharing-emotions", Part.POST, *place)
    assert kinds(gold({"sharing-emotions": 1}, span)) == [(ProblemKind.BAD_OFFSETS, "sharing-emotions")]


def test_words_of_the_other_part() -> None:
    span = Span("sharing-emotions", Part.REPLY, 0, 6)
    assert kinds(gold({"sharing-emotions": 1}, span)) == [(ProblemKind.WRONG_TEXT, "sharing-emotions")]


def test_gold_is_sure() -> None:
    assert kinds(replace(gold({}), flag=Flag(""))) == [(ProblemKind.CONTRADICTION, "")]


def test_reasons_can_be_shown_and_stored() -> None:
    assert kinds(gold({}), Reasons({"asking-advice": "a\x00b"})) == [
        (ProblemKind.UNREADABLE, "asking-advice")
    ]
    assert kinds(gold({}), Reasons({}, "x" * (LONGEST_REASON + 1))) == [(ProblemKind.UNREADABLE, "")]


def test_a_level_that_says_absent_takes_no_words_and_needs_none() -> None:
    values = {"emotional-reactions": 0, "interpretations": 0, "explorations": 0}
    span = Span("emotional-reactions", Part.REPLY, 0, 6)
    sound = canonical_answers(EPITOME, ITEM, values, (), None)
    assert gold_problems(EPITOME, ITEM, sound, Reasons()) == ()
    marked = canonical_answers(EPITOME, ITEM, values, (span,), None)
    assert [found.kind for found in gold_problems(EPITOME, ITEM, marked, Reasons())] == [
        ProblemKind.ORPHAN_SPAN
    ]
    strong = canonical_answers(EPITOME, ITEM, values | {"emotional-reactions": 2}, (), None)
    assert [found.kind for found in gold_problems(EPITOME, ITEM, strong, Reasons())] == [
        ProblemKind.MISSING_EVIDENCE
    ]


def test_a_rating_takes_no_words() -> None:
    ratings = load_shipped("construct-ratings")
    question, code = next(ratings.coded_questions())
    values = {code.id: question.levels[0].value for question, code in ratings.coded_questions()}
    answers = canonical_answers(ratings, ITEM, values, (Span(code.id, question.part, 0, 6),), None)
    assert [found.kind for found in gold_problems(ratings, ITEM, answers, Reasons())] == [
        ProblemKind.ORPHAN_SPAN
    ]


def test_sentences_are_marked_whole() -> None:
    half = canonical_answers(CAUSE, ITEM, {}, (Span("empathy-cause", Part.POST, 0, 5),), None)
    assert [found.kind for found in gold_problems(CAUSE, ITEM, half, Reasons())] == [ProblemKind.BAD_OFFSETS]
    denied = Answers((Judgment("empathy-cause", 1),), (), None)
    assert [found.kind for found in gold_problems(CAUSE, ITEM, denied, Reasons())] == [
        ProblemKind.CONTRADICTION
    ]
