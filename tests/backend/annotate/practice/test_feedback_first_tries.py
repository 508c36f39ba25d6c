"""What was answered before feedback could help is what researchers count."""

from __future__ import annotations

from django.test import Client

from annotation.answers import Answers
from annotation.gold_feedback import Score
from backend.annotate.practice.feedback import practice_report
from backend.annotate.practice.results import batch_results
from tests.backend.annotate.practice.fixtures import Practice, earlier_version, with_value
from tests.page_text import page_text


def worse(practice: Practice) -> Answers:
    return with_value(with_value(practice.gold(0), "sharing-emotions", 0), "asking-advice", 0)


def test_the_first_of_several_answers_counts(practice: Practice) -> None:
    place = practice.place(practice.amal, 0)
    earlier_version(place, worse(practice), minutes=9)
    earlier_version(place, with_value(practice.gold(0), "asking-advice", 0), minutes=5)
    practice.submit(practice.amal, 0, practice.gold(0), edits=2)
    report = practice_report(practice.amal)
    assert (report.score, report.first_score) == (Score(13, 13), Score(11, 13))
    assert (report.items[0].score_note, report.items[0].first_note) == (
        "13 of 13 as the team sees it",
        "11 of 13",
    )
    assert {hits.code.id for hits in report.first_missed} == {"sharing-emotions", "asking-advice"}
    assert report.to_read_again == ()
    missed = [row.code.id for row in batch_results(practice.batch).codes if row.items and row.matched == 0]
    assert missed == ["asking-advice", "sharing-emotions"]


def test_an_annotation_that_was_deleted_and_made_again_is_no_first_try(practice: Practice) -> None:
    earlier_version(practice.place(practice.amal, 0), worse(practice), annotation=77)
    practice.submit(practice.amal, 0, practice.gold(0))
    assert practice_report(practice.amal).first_score == Score(11, 13)


def test_an_unsound_answer_showed_no_gold_and_is_no_try(practice: Practice) -> None:
    bare = with_value(practice.gold(0), "sharing-emotions", 1)
    earlier_version(practice.place(practice.amal, 0), bare, minutes=9)
    practice.submit(practice.amal, 0, practice.gold(0), edits=1)
    report = practice_report(practice.amal)
    assert (report.first_score, report.items[0].first_note) == (Score(13, 13), "")


def test_nobody_elses_version_is_a_first_try(practice: Practice) -> None:
    version = earlier_version(practice.place(practice.bea, 0), worse(practice))
    practice.submit(practice.amal, 0, practice.gold(0))
    assert version.assignment == practice.bea
    assert practice_report(practice.amal).first_score == Score(13, 13)


def test_pages_tell_both(practice: Practice) -> None:
    earlier_version(practice.place(practice.amal, 0), worse(practice))
    practice.submit(practice.amal, 0, practice.gold(0), edits=1)
    client = Client()
    client.force_login(practice.cast.amal)
    own = page_text(client.get(f"/studies/kind-words/work/{practice.amal.pk}/feedback"))
    assert "at the first try 11 of 13" in own
    client.force_login(practice.cast.rosa)
    results = page_text(client.get(f"/studies/kind-words/batches/{practice.batch.pk}/practice"))
    assert "11 of 13" in results
    assert "13 of 13" in results
