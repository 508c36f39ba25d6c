"""What comes in is kept in the order of seeing: the last state seen stands, and nothing seen is ever lost."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import ProtectedError

from backend.annotate.judgments.models import AnnotationVersion, Change, Judgment, Quarantined, Submission
from backend.annotate.judgments.version_store import keep_arrivals, live_annotations
from tests.backend.annotate.judgments.arriving import Workspace
from tests.cast import NOW
from tests.given_work import CastAtWork

ADVICE, EMOTIONS = "asking-advice", "sharing-emotions"
MARKER = "attune:7"


@pytest.fixture
def desk(work: CastAtWork) -> Workspace:
    batch = work.batch(work.cast.amal, items=work.items[:3])
    return Workspace(work, batch.assignments.get())


def ticked() -> set[str]:
    return set(Judgment.objects.filter(value=1).values_list("code", flat=True))


def test_a_state_that_a_slow_reader_brings_late_is_kept_and_never_stands(desk: Workspace) -> None:
    item = desk.place().item
    newer = desk.arrival(1, desk.work.answers(item, EMOTIONS), minutes=5)
    older = desk.arrival(1, desk.work.answers(item, ADVICE))
    desk.receive(newer)
    for _ in range(2):
        desk.receive(older)
    assert ticked() == {EMOTIONS}
    assert list(AnnotationVersion.objects.values_list("came_late", flat=True)) == [False, True]
    assert [version.sha256 for version in live_annotations(desk.share, MARKER)] == [newer.sha256]
    assert Submission.objects.get().edits == 1


def test_a_whole_reading_is_believed_against_a_clock_that_was_set_back(desk: Workspace) -> None:
    item = desk.place().item
    desk.receive(desk.arrival(1, desk.work.answers(item, ADVICE), minutes=5))
    edited = desk.arrival(1, desk.work.answers(item, EMOTIONS))
    keep_arrivals(assignment=desk.share, arrivals=[edited], now=NOW, is_whole=True)
    desk.derive()
    assert ticked() == {EMOTIONS}
    desk.receive(edited)
    assert AnnotationVersion.objects.count() == 2


def test_what_is_seen_again_after_it_was_deleted_counts_again(desk: Workspace) -> None:
    """Label Studio was restored from a backup, or gave the number of a deleted annotation out once more."""
    answer = desk.arrival(1, desk.work.answers(desk.place().item, ADVICE))
    deletion = desk.arrival(1, None, change=Change.DELETED, minutes=9)
    desk.receive(answer)
    for _ in range(2):
        desk.receive(deletion)
    assert not Submission.objects.exists()
    desk.receive(answer)
    assert ticked() == {ADVICE}
    assert Submission.objects.get().edits == 0
    desk.receive(deletion)
    assert not Submission.objects.exists()
    changes = AnnotationVersion.objects.values_list("change", flat=True)
    assert list(changes) == ["submitted", "deleted", "submitted", "deleted"]


def test_an_unsound_answer_of_a_project_that_is_gone_yields_to_the_new_one(desk: Workspace) -> None:
    item = desk.place().item
    desk.receive(desk.arrival(1, None, results="broken"))
    assert Quarantined.objects.get().is_fixable is False
    desk.receive(desk.arrival(1, desk.work.answers(item, EMOTIONS), minutes=30, marker="attune:8"))
    assert ticked() == {EMOTIONS}
    (doubt,) = Quarantined.objects.all()
    assert [problem["kind"] for problem in doubt.problems] == ["lapsed"]


def test_a_sound_answer_of_a_project_that_is_gone_stands_against_a_new_one(desk: Workspace) -> None:
    item = desk.place().item
    desk.receive(desk.arrival(1, desk.work.answers(item, ADVICE)))
    desk.receive(desk.arrival(2, desk.work.answers(item, EMOTIONS), minutes=30, marker="attune:8"))
    assert ticked() == {ADVICE}
    assert Quarantined.objects.get().problems[0]["kind"] == "second-annotation"


def test_the_database_itself_refuses_to_rewrite_what_came_in(desk: Workspace) -> None:
    desk.receive(desk.arrival(1, desk.work.answers(desk.place().item, ADVICE)))
    table = AnnotationVersion._meta.db_table
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE {table} SET body = '{{}}'")


def test_work_cannot_be_deleted_while_anything_came_in_from_it(desk: Workspace) -> None:
    desk.receive(desk.arrival(1, desk.work.answers(desk.place().item, ADVICE)))
    for row in (desk.share, desk.share.batch):
        with pytest.raises(ProtectedError):
            row.delete()
    assert AnnotationVersion.objects.count() == 1
