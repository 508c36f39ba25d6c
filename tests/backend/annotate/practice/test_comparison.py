"""One item beside its gold: what matched, what did not, and where the words lie."""

from __future__ import annotations

from dataclasses import replace

from annotation.answers import Span
from backend.annotate.judgments.selectors import annotator_answers
from backend.annotate.practice.comparison import Comparison, compare_item
from backend.annotate.practice.models import GoldAnswer
from backend.annotate.practice.selectors import read_gold
from backend.design.samples.selectors import item_text
from codebook.schema import Part
from tests.backend.annotate.practice.fixtures import POST, REPLY, Practice, in_order, with_value


def compared(practice: Practice, number: int = 0) -> Comparison:
    item = practice.items[number]
    gold = read_gold(GoldAnswer.objects.get(item=item, edition=practice.edition))
    submission = practice.place(practice.amal, number).submission
    return compare_item(practice.codebook, item_text(item), gold, submission)


def test_the_rows_of_a_submission_are_the_answers_that_made_them(practice: Practice) -> None:
    gold = practice.gold(0)
    submission = practice.submit(practice.amal, 0, gold)
    assert annotator_answers(practice.codebook, item_text(practice.items[0]), submission) == gold


def test_all_as_the_team_sees_it(practice: Practice) -> None:
    practice.submit(practice.amal, 0, practice.gold(0))
    comparison = compared(practice)
    assert (comparison.score.matched, comparison.score.codes) == (13, 13)
    assert comparison.differing == ()
    assert len(comparison.matching) == 4
    assert len(comparison.absent_to_both) == 9
    assert comparison.remark == "Read the last sentence too."


def test_what_differs_comes_with_the_reason_and_both_sides_words(practice: Practice) -> None:
    fine = Span("emotional-resonance", Part.REPLY, 0, REPLY.index("."))
    answers = with_value(practice.gold(0), "sharing-emotions", 0)
    answers = in_order(
        practice.codebook, practice.items[0], with_value(answers, "emotional-resonance", 1, fine)
    )
    practice.submit(practice.amal, 0, answers)
    missed, added = compared(practice).differing
    assert (missed.feedback.code.id, missed.gold_quotes, missed.given_quotes) == (
        "sharing-emotions",
        ("cried",),
        (),
    )
    assert (missed.feedback.gold_label, missed.feedback.given_label) == ("yes", "no")
    assert missed.why == "A bodily sign."
    assert (added.feedback.code.id, added.gold_quotes, added.given_quotes) == (
        "emotional-resonance",
        (),
        ("I know that hall",),
    )


def test_other_words_for_the_same_judgment_are_told_but_do_not_count(practice: Practice) -> None:
    elsewhere = Span("sharing-emotions", Part.POST, 0, 7)
    gold = practice.gold(0)
    answers = with_value(gold, "sharing-emotions", 1, elsewhere)
    practice.submit(practice.amal, 0, in_order(practice.codebook, practice.items[0], answers))
    comparison = compared(practice)
    assert comparison.score.matched == 13
    assert [row.feedback.code.id for row in comparison.matching if row.is_elsewhere] == ["sharing-emotions"]


def test_both_sides_are_marked_in_the_whole_text(practice: Practice) -> None:
    answers = with_value(practice.gold(0), "sharing-emotions", 0)
    practice.submit(practice.amal, 0, answers)
    post, reply = compared(practice).parts
    assert "".join(passage.text for passage in post.gold) == POST
    assert "".join(passage.text for passage in post.given) == POST
    assert [passage.text for passage in post.gold if passage.codes] == [
        "cried",
        "What should I do?",
        "I am 42",
    ]
    assert [passage.text for passage in post.given if passage.codes] == ["What should I do?", "I am 42"]
    assert [passage.text for passage in reply.given if passage.codes] == ["You'll be fine"]


def test_a_flag_changes_nothing_in_the_comparison(practice: Practice) -> None:
    submission = practice.submit(practice.amal, 0, practice.gold(0))
    submission.is_flagged, submission.flag_comment = True, "Hm"
    submission.save()
    answers = annotator_answers(practice.codebook, item_text(practice.items[0]), submission)
    assert replace(answers, flag=None) == practice.gold(0)
    assert answers.flag is not None
    assert answers.flag.comment == "Hm"
    assert compared(practice).score.matched == 13


def test_an_item_without_a_reply_has_one_text_and_six_codes(practice: Practice) -> None:
    practice.submit(practice.amal, 2, practice.gold(2))
    comparison = compared(practice, 2)
    assert comparison.score.codes == 6
    assert [marked.part for marked in comparison.parts] == [Part.POST]
