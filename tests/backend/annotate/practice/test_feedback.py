"""The report of a practice: what is submitted is compared, of the rest nothing is known but the number."""

from __future__ import annotations

from datetime import timedelta

from backend.annotate.batches.models import BatchState
from backend.annotate.judgments.models import Quarantined, SubmissionState
from backend.annotate.practice.feedback import news_mark, practice_report
from backend.annotate.practice.models import GoldAnswer
from tests.backend.annotate.practice.fixtures import Practice, submission_of, version_of, with_value
from tests.cast import NOW


def test_before_the_first_submission_there_is_nothing(practice: Practice) -> None:
    report = practice_report(practice.amal)
    assert (report.items, report.hits, report.total) == ((), (), 3)
    assert not report.is_finished


def test_submitted_items_come_newest_first_with_their_score(practice: Practice) -> None:
    practice.submit(practice.amal, 0, practice.gold(0))
    practice.submit(practice.amal, 1, with_value(practice.gold(1), "sharing-emotions", 0), edits=2)
    report = practice_report(practice.amal)
    assert [entry.item.item_id for entry in report.items] == ["item-2", "item-1"]
    assert [entry.score_note for entry in report.items] == [
        "12 of 13 as the team sees it",
        "13 of 13 as the team sees it",
    ]
    assert (report.progress_note, report.score_note, report.edited) == ("2 of 3", "25 of 26", 1)
    assert not report.is_finished


def test_at_the_end_the_missed_codes_are_named(practice: Practice) -> None:
    missed = with_value(with_value(practice.gold(0), "sharing-emotions", 0), "asking-advice", 0)
    practice.submit(practice.amal, 0, missed)
    practice.submit(practice.amal, 1, with_value(practice.gold(1), "sharing-emotions", 0))
    practice.submit(practice.amal, 2, practice.gold(2))
    report = practice_report(practice.amal)
    assert report.is_finished
    assert [(hits.code.id, hits.matched, hits.items) for hits in report.to_read_again] == [
        ("sharing-emotions", 1, 3),
        ("asking-advice", 2, 3),
    ]
    assert len(report.hits) == 13


def test_nobody_elses_work_is_in_it(practice: Practice) -> None:
    practice.submit(practice.bea, 0, practice.gold(0))
    assert practice_report(practice.amal).items == ()


def test_skipped_and_unsound_items_are_counted_and_not_compared(practice: Practice) -> None:
    submission_of(practice.place(practice.amal, 0), state=SubmissionState.SKIPPED)
    place = practice.place(practice.amal, 1)
    Quarantined.objects.create(version=version_of(place), assigned_item=place, problems=[], is_fixable=True)
    report = practice_report(practice.amal)
    assert report.items == ()
    assert [entry.item.item_id for entry in report.skipped] == ["item-1"]
    assert [entry.item.item_id for entry in report.to_correct] == ["item-2"]


def test_what_the_annotator_cannot_mend_is_not_asked_of_them(practice: Practice) -> None:
    place = practice.place(practice.amal, 1)
    Quarantined.objects.create(version=version_of(place), assigned_item=place, problems=[], is_fixable=False)
    assert practice_report(practice.amal).to_correct == ()


def test_an_item_whose_gold_is_gone_stays_without_comparison(practice: Practice) -> None:
    practice.submit(practice.amal, 0, practice.gold(0))
    GoldAnswer.objects.all().delete()
    report = practice_report(practice.amal)
    assert [entry.comparison for entry in report.items] == [None]
    assert report.share is None


def test_an_item_that_was_taken_back_is_left_out(practice: Practice) -> None:
    practice.amal.assigned_items.filter(item=practice.items[2]).update(taken_back_at=NOW)
    assert practice_report(practice.amal).total == 2


def test_the_mark_changes_with_the_news_and_only_then(practice: Practice) -> None:
    marks = [news_mark(practice.amal)]
    practice.submit(practice.bea, 0, practice.gold(0))
    assert news_mark(practice.amal) == marks[-1]
    GoldAnswer.objects.filter(item=practice.items[1]).update(written_at=NOW + timedelta(hours=1))
    assert news_mark(practice.amal) == marks[-1]
    submission = practice.submit(practice.amal, 0, practice.gold(0))
    marks.append(news_mark(practice.amal))
    submission.version = version_of(practice.place(practice.amal, 0), number=7)
    submission.save()
    marks.append(news_mark(practice.amal))
    GoldAnswer.objects.filter(item=practice.items[0]).update(written_at=NOW + timedelta(hours=1))
    marks.append(news_mark(practice.amal))
    practice.batch.state = BatchState.PAUSED
    practice.batch.save()
    practice.amal.refresh_from_db()
    marks.append(news_mark(practice.amal))
    assert len(set(marks)) == 5
