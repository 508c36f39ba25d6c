"""What the post asks for, what the reply answers, and what is left open: by the codebook's own links and levels."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotation.answers import ItemText, shown_codes
from codebook.schema import Codebook, Part
from codebook.shipped import load_shipped
from learning.predictions.rows import CodePrediction, ItemPrediction, PredictedSpan
from learning.reply_feedback import NeedState, ReplyFeedback, reply_feedback
from learning.suggestions.answers import SuggestionUnfit

PRACTICES, EPITOME, RATINGS = (
    load_shipped(name) for name in ("empathy-practices", "epitome", "construct-ratings")
)
POST, REPLY = "I am so tired. What should I do?", "You have got this. Try an early night."


def read(
    codebook: Codebook,
    said: dict[str, int],
    *,
    reply: str | None = REPLY,
    spans: dict[str, PredictedSpan] | None = None,
    left_out: tuple[str, ...] = (),
) -> ReplyFeedback:
    """Codes that `said` does not name are at their lowest value; `left_out` were never taught."""
    codes = []
    for question, code in codebook.coded_questions():
        if (question.part is Part.REPLY and reply is None) or code.id in left_out:
            continue
        lowest = question.levels[0].value if question.levels else 0
        marks = (spans or {}).get(code.id)
        codes.append(CodePrediction(code.id, said.get(code.id, lowest), spans=(marks,) if marks else ()))
    item = ItemText("asked", "", POST, reply)
    prediction = ItemPrediction("asked", tuple(codes), "adapter", 7)
    return reply_feedback(codebook, item, prediction)


def states(found: ReplyFeedback) -> dict[str, NeedState]:
    return {need.finding.code.id: need.state for need in found.needs}


def test_a_need_is_answered_by_any_code_that_the_codebook_names() -> None:
    found = read(PRACTICES, {"asking-advice": 1, "sharing-emotions": 1, "offering-reassurance": 1})
    assert states(found) == {
        "asking-advice": NeedState.OPEN,
        "sharing-emotions": NeedState.ANSWERED,
    }
    (open_need,) = found.open_needs
    assert [code.id for code in open_need.answers] == ["offering-advice"]
    (met,) = (need for need in found.needs if need.given)
    assert [each.code.id for each in met.given] == ["offering-reassurance"]


def test_what_asks_for_nothing_is_found_and_is_no_need() -> None:
    found = read(PRACTICES, {"sharing-personal-information": 1})
    assert [each.code.id for each in found.found_in(Part.POST)] == ["sharing-personal-information"]
    assert (found.needs, found.improvable, found.n_truncated) == ((), (), 7)
    assert len(found.missing_in(Part.REPLY)) == 7


def test_without_a_reply_nothing_is_said_to_be_unanswered() -> None:
    found = read(PRACTICES, {"asking-advice": 1}, reply=None)
    assert states(found) == {"asking-advice": NeedState.NO_REPLY}
    assert found.open_needs == ()
    assert found.missing_in(Part.REPLY) == ()


def test_a_code_that_was_never_taught_leaves_it_unknown_unless_another_answers() -> None:
    said = {"asking-advice": 1, "seeking-similar-experiences": 1, "recalling-feelings": 1}
    untaught = ("offering-advice", "sharing-similar-experiences")
    found = read(PRACTICES, said, left_out=untaught)
    assert states(found) == {
        "asking-advice": NeedState.UNKNOWN,
        "seeking-similar-experiences": NeedState.ANSWERED,
    }
    assert found.open_needs == ()
    assert {code.id for code in found.unjudged} == set(untaught)


@pytest.mark.parametrize("reply", [REPLY, None])
def test_without_a_prediction_everything_that_is_shown_is_unjudged(reply: str | None) -> None:
    item = ItemText("asked", "", POST, reply)
    found = reply_feedback(PRACTICES, item, None)
    assert found.unjudged == tuple(code for _, code in shown_codes(PRACTICES, item))
    assert not any(found.was_taught(part) for part in Part)
    assert not found.knows_needs


def test_every_code_that_is_shown_is_judged_or_named_as_unjudged() -> None:
    everything = [code.id for _, code in PRACTICES.coded_questions()]
    of_posts = tuple(code.id for question in PRACTICES.questions_on(Part.POST) for code in question.codes)
    for left_out in ((), of_posts, tuple(everything[::2])):
        found = read(PRACTICES, {}, left_out=left_out)
        judged = {each.code.id for each in found.findings}
        assert judged.isdisjoint(left_out)
        assert judged | {code.id for code in found.unjudged} == set(everything)
    of_replies = read(PRACTICES, {}, left_out=of_posts)
    assert (of_replies.was_taught(Part.POST), of_replies.was_taught(Part.REPLY)) == (False, True)
    assert not of_replies.knows_needs


def test_levels_below_the_highest_can_be_stronger() -> None:
    found = read(EPITOME, {"emotional-reactions": 1, "interpretations": 2})
    assert [(each.code.id, each.label) for each in found.improvable] == [
        ("emotional-reactions", "Weak"),
        ("explorations", "None"),
    ]
    highest = found.improvable[1].highest
    assert highest is not None and highest.label == "Strong"
    assert [each.is_there for each in found.improvable] == [True, False]


def test_a_weak_answer_is_called_weak() -> None:
    asking = PRACTICES.questions[0]
    code = replace(asking.codes[0], answered_by=("explorations",))
    mixed = replace(EPITOME, questions=(replace(asking, codes=(code,)), *EPITOME.questions))
    for level, state in ((0, NeedState.OPEN), (1, NeedState.WEAKLY), (2, NeedState.ANSWERED)):
        assert states(read(mixed, {"asking-advice": 1, "explorations": level})) == {"asking-advice": state}


def test_ratings_are_shown_and_neither_there_nor_missing() -> None:
    found = read(RATINGS, {"definition-granularity": 4}, reply=None)
    assert [each.value for each in found.found_in(Part.POST)] == [4, 1, 1]
    assert (found.missing_in(Part.POST), found.improvable, found.needs) == ((), (), ())


def test_words_come_without_the_space_around_them_and_only_where_the_code_is_there() -> None:
    spans = {
        "asking-advice": PredictedSpan(Part.POST, 14, 32, 0.9),
        "sharing-emotions": PredictedSpan(Part.POST, 0, 13, 0.9),
    }
    found = read(PRACTICES, {"asking-advice": 1}, spans=spans)
    words = {each.code.id: [found.item.words_of(span) for span in each.spans] for each in found.findings}
    assert words["asking-advice"] == ["What should I do?"]
    assert words["sharing-emotions"] == []


def test_a_prediction_about_another_text_is_refused() -> None:
    spans = {"asking-advice": PredictedSpan(Part.POST, 0, 900, 0.9)}
    with pytest.raises(SuggestionUnfit):
        read(PRACTICES, {"asking-advice": 1}, spans=spans)


def test_sentences_that_moved_the_reply_are_found_in_the_post_with_their_words() -> None:
    causes = load_shipped("empathy-cause")
    tired = PredictedSpan(Part.POST, 0, 14, 0.8)
    found = read(causes, {"empathy-cause": 1}, spans={"empathy-cause": tired})
    (finding,) = found.found_in(Part.POST)
    assert finding.marks_sentences and [found.item.words_of(span) for span in finding.spans] == [
        "I am so tired."
    ]
    nothing = read(causes, {"empathy-cause": 0})
    assert not nothing.found_in(Part.POST) and [each.code.id for each in nothing.missing_in(Part.POST)]
