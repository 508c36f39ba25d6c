"""Judgments follow from what came in, whatever the order, and deriving them again changes nothing."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from backend.annotate.batches.models import AssignedItem
from backend.annotate.discussions.models import Discussion, DiscussionState
from backend.annotate.judgments.derivation import NO_CHANGES, derive_items
from backend.annotate.judgments.models import (
    AnnotationVersion,
    Change,
    Judgment,
    Quarantined,
    Span,
    Submission,
)
from tests.backend.annotate.judgments.arriving import Workspace
from tests.batch_fixtures import CastAtWork
from tests.cast import NOW

ADVICE, EMOTIONS = "asking-advice", "sharing-emotions"


@pytest.fixture
def workspace(work: CastAtWork) -> Workspace:
    batch = work.batch(work.cast.amal, work.cast.bea, items=work.items[:3])
    return Workspace(work, batch.assignments.get(annotator=work.cast.amal))


def values(place: AssignedItem) -> dict[str, int]:
    return dict(Judgment.objects.filter(submission__assigned_item=place).values_list("code", "value"))


def problems() -> list[str]:
    return [problem["kind"] for row in Quarantined.objects.order_by("pk") for problem in row.problems]


def test_an_answer_becomes_judgments_and_spans(workspace: Workspace) -> None:
    item = workspace.place().item
    answers = workspace.work.answers(item, ADVICE, EMOTIONS)
    workspace.receive(workspace.arrival(1, answers))
    stored = values(workspace.place())
    assert {code for code, value in stored.items() if value} == {ADVICE, EMOTIONS}
    assert len(stored) == len(answers.judgments)
    spans = Span.objects.values_list("code", "part", "start", "end")
    assert set(spans) == {(span.code_id, span.part.value, span.start, span.end) for span in answers.spans}
    submission = Submission.objects.get()
    assert (submission.state, submission.edits, submission.is_flagged) == ("submitted", 0, False)
    assert submission.lead_seconds == 30.0


def test_the_same_twice_is_stored_once(workspace: Workspace) -> None:
    arrival = workspace.arrival(1, workspace.work.answers(workspace.place().item, ADVICE))
    workspace.receive(arrival, arrival)
    assert workspace.receive(arrival) == NO_CHANGES
    assert AnnotationVersion.objects.count() == 1


def test_an_edit_is_kept_beside_what_it_replaced(workspace: Workspace) -> None:
    item = workspace.place().item
    workspace.receive(workspace.arrival(1, workspace.work.answers(item, ADVICE)))
    workspace.receive(workspace.arrival(1, workspace.work.answers(item, EMOTIONS), minutes=5))
    assert {code for code, value in values(workspace.place()).items() if value} == {EMOTIONS}
    assert Submission.objects.get().edits == 1
    assert AnnotationVersion.objects.count() == 2


def test_a_deletion_takes_the_judgments_and_keeps_what_came(workspace: Workspace) -> None:
    workspace.receive(workspace.arrival(1, workspace.work.answers(workspace.place().item, ADVICE)))
    workspace.receive(workspace.arrival(1, None, change=Change.DELETED, minutes=9))
    assert not Submission.objects.exists()
    assert AnnotationVersion.objects.count() == 2
    workspace.receive(
        workspace.arrival(2, workspace.work.answers(workspace.place().item, EMOTIONS), minutes=10)
    )
    assert values(workspace.place())[EMOTIONS] == 1


def test_a_skip_is_no_judgment_and_yields_to_an_answer(workspace: Workspace) -> None:
    workspace.receive(workspace.arrival(1, None, change=Change.SKIPPED, results=[]))
    assert Submission.objects.get().state == "skipped"
    assert values(workspace.place()) == {}
    workspace.receive(workspace.arrival(1, workspace.work.answers(workspace.place().item, ADVICE), minutes=3))
    assert Submission.objects.get().state == "submitted"
    assert Submission.objects.get().edits == 0
    assert problems() == []


def test_a_second_annotation_is_quarantined_and_the_first_one_stands(workspace: Workspace) -> None:
    item = workspace.place().item
    workspace.receive(workspace.arrival(1, workspace.work.answers(item, ADVICE)))
    workspace.receive(workspace.arrival(2, workspace.work.answers(item, EMOTIONS), minutes=1))
    assert {code for code, value in values(workspace.place()).items() if value} == {ADVICE}
    assert problems() == ["second-annotation"]
    assert Quarantined.objects.get().is_fixable
    workspace.receive(workspace.arrival(1, None, change=Change.DELETED, minutes=9))
    assert {code for code, value in values(workspace.place()).items() if value} == {EMOTIONS}
    assert problems() == []


def test_a_stranger_s_annotation_is_quarantined(workspace: Workspace) -> None:
    answers = workspace.work.answers(workspace.place().item, ADVICE)
    workspace.receive(workspace.arrival(1, answers, made_by=workspace.work.cast.bea))
    assert problems() == ["wrong-annotator"]
    assert not Submission.objects.exists()


def test_an_annotation_of_an_unknown_item_is_quarantined(workspace: Workspace) -> None:
    answers = workspace.work.answers(workspace.place().item, ADVICE)
    workspace.receive(workspace.arrival(1, answers, item_key="nobody-knows"))
    assert problems() == ["unknown-item"]
    assert Quarantined.objects.get().assigned_item is None


@pytest.mark.parametrize(
    ("results", "kind"),
    [
        ("not a list", "unreadable"),
        (
            [
                {
                    "from_name": "ticks_requests",
                    "to_name": "post",
                    "type": "choices",
                    "value": {"choices": ["x"]},
                }
            ],
            "unknown-code",
        ),
        (
            [
                {
                    "from_name": "ticks_requests",
                    "to_name": "post",
                    "type": "choices",
                    "value": {"choices": [ADVICE]},
                }
            ],
            "missing-evidence",
        ),
    ],
)
def test_what_the_decoder_refuses_is_quarantined_until_it_is_mended(
    workspace: Workspace, results: object, kind: str
) -> None:
    workspace.receive(workspace.arrival(1, None, results=results))
    assert kind in problems()
    assert not Submission.objects.exists()
    workspace.receive(workspace.arrival(1, workspace.work.answers(workspace.place().item, ADVICE), minutes=1))
    assert problems() == []
    assert Submission.objects.count() == 1


def test_a_flag_opens_a_discussion_that_follows_it(workspace: Workspace) -> None:
    item = workspace.place().item
    workspace.receive(workspace.arrival(1, workspace.work.answers(item, ADVICE, flag="Is this advice?")))
    discussion = Discussion.objects.get()
    assert discussion.comment == "Is this advice?"
    workspace.receive(workspace.arrival(1, workspace.work.answers(item, ADVICE), minutes=1))
    discussion.refresh_from_db()
    assert discussion.state == DiscussionState.WITHDRAWN


def test_a_flag_on_a_quarantined_answer_is_heard(workspace: Workspace) -> None:
    rows = [
        {"from_name": "ticks_requests", "to_name": "post", "type": "choices", "value": {"choices": [ADVICE]}},
        {"from_name": "flag", "to_name": "post", "type": "choices", "value": {"choices": ["discuss"]}},
        {"from_name": "comment", "to_name": "post", "type": "textarea", "value": {"text": ["Help?"]}},
    ]
    workspace.receive(workspace.arrival(1, None, results=rows))
    assert problems() == ["missing-evidence"]
    assert Discussion.objects.get().comment == "Help?"


def test_a_rebuild_mends_what_was_tampered_with_and_then_changes_nothing(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace.receive(
        workspace.arrival(1, workspace.work.answers(workspace.place().item, ADVICE, flag="why"))
    )
    workspace.receive(
        workspace.arrival(2, workspace.work.answers(workspace.place(1).item, EMOTIONS), position=1)
    )
    workspace.receive(workspace.arrival(3, None, position=2, results="broken"))
    assert derive_items(assignment=workspace.share, item_keys=None, now=NOW) == NO_CHANGES
    Judgment.objects.filter(code=EMOTIONS).update(value=0)
    Quarantined.objects.all().delete()
    Submission.objects.filter(assigned_item=workspace.place()).delete()
    call_command("rebuild_judgments", "kind-words")
    assert values(workspace.place(1))[EMOTIONS] == 1
    assert values(workspace.place())[ADVICE] == 1
    assert problems() == ["unreadable"]
    call_command("rebuild_judgments")
    assert capsys.readouterr().out.splitlines() == [
        "2 answers and 1 quarantined annotations changed.",
        "0 answers and 0 quarantined annotations changed.",
    ]
