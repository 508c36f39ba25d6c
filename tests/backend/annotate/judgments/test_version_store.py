"""What comes in is kept in the order of seeing: the last state seen stands, and nothing seen is ever lost."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import ProtectedError

from backend.annotate.judgments.models import AnnotationVersion, Change, Judgment, Quarantined, Submission
from backend.annotate.judgments.version_store import keep_arrivals, live_annotations
from tests.backend.annotate.judgments.arriving import Workspace
from tests.batch_fixtures import CastAtWork
from tests.cast import NOW

ADVICE, EMOTIONS = "asking-advice", "sharing-emotions"
MARKER = "attune:7"


@pytest.fixture
def workspace(work: CastAtWork) -> Workspace:
    batch = work.batch(work.cast.amal, items=work.items[:3])
    return Workspace(work, batch.assignments.get())


def ticked() -> set[str]:
    return set(Judgment.objects.filter(value=1).values_list("code", flat=True))


def test_a_state_that_a_slow_reader_brings_late_is_kept_and_never_stands(workspace: Workspace) -> None:
    item = workspace.place().item
    newer = workspace.arrival(1, workspace.work.answers(item, EMOTIONS), minutes=5)
    older = workspace.arrival(1, workspace.work.answers(item, ADVICE))
    workspace.receive(newer)
    for _ in range(2):
        workspace.receive(older)
    assert ticked() == {EMOTIONS}
    assert list(AnnotationVersion.objects.values_list("came_late", flat=True)) == [False, True]
    assert [version.sha256 for version in live_annotations(workspace.share, MARKER)] == [newer.sha256]
    assert Submission.objects.get().edits == 1


def test_a_whole_reading_is_believed_against_a_clock_that_was_set_back(workspace: Workspace) -> None:
    item = workspace.place().item
    workspace.receive(workspace.arrival(1, workspace.work.answers(item, ADVICE), minutes=5))
    edited = workspace.arrival(1, workspace.work.answers(item, EMOTIONS))
    keep_arrivals(assignment=workspace.share, arrivals=[edited], now=NOW, is_whole=True)
    workspace.derive()
    assert ticked() == {EMOTIONS}
    workspace.receive(edited)
    assert AnnotationVersion.objects.count() == 2


def test_what_is_seen_again_after_it_was_deleted_counts_again(workspace: Workspace) -> None:
    """Label Studio was restored from a backup, or gave the number of a deleted annotation out once more."""
    answer = workspace.arrival(1, workspace.work.answers(workspace.place().item, ADVICE))
    deletion = workspace.arrival(1, None, change=Change.DELETED, minutes=9)
    workspace.receive(answer)
    for _ in range(2):
        workspace.receive(deletion)
    assert not Submission.objects.exists()
    workspace.receive(answer)
    assert ticked() == {ADVICE}
    assert Submission.objects.get().edits == 0
    workspace.receive(deletion)
    assert not Submission.objects.exists()
    changes = AnnotationVersion.objects.values_list("change", flat=True)
    assert list(changes) == ["submitted", "deleted", "submitted", "deleted"]


def test_an_unsound_answer_of_a_project_that_is_gone_yields_to_the_new_one(workspace: Workspace) -> None:
    item = workspace.place().item
    workspace.receive(workspace.arrival(1, None, results="broken"))
    assert Quarantined.objects.get().is_fixable is False
    workspace.receive(
        workspace.arrival(1, workspace.work.answers(item, EMOTIONS), minutes=30, marker="attune:8")
    )
    assert ticked() == {EMOTIONS}
    (doubt,) = Quarantined.objects.all()
    assert [problem["kind"] for problem in doubt.problems] == ["lapsed"]


def test_a_sound_answer_of_a_project_that_is_gone_stands_against_a_new_one(workspace: Workspace) -> None:
    item = workspace.place().item
    workspace.receive(workspace.arrival(1, workspace.work.answers(item, ADVICE)))
    workspace.receive(
        workspace.arrival(2, workspace.work.answers(item, EMOTIONS), minutes=30, marker="attune:8")
    )
    assert ticked() == {ADVICE}
    assert Quarantined.objects.get().problems[0]["kind"] == "second-annotation"


def test_the_database_itself_refuses_to_rewrite_what_came_in(workspace: Workspace) -> None:
    workspace.receive(workspace.arrival(1, workspace.work.answers(workspace.place().item, ADVICE)))
    table = AnnotationVersion._meta.db_table
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE {table} SET body = '{{}}'")


def test_work_cannot_be_deleted_while_anything_came_in_from_it(workspace: Workspace) -> None:
    workspace.receive(workspace.arrival(1, workspace.work.answers(workspace.place().item, ADVICE)))
    for row in (workspace.share, workspace.share.batch):
        with pytest.raises(ProtectedError):
            row.delete()
    assert AnnotationVersion.objects.count() == 1
