"""The last answer of a batch has its agreement measured, once, and nothing before it has."""

from __future__ import annotations

import pytest
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from backend.annotate.batches.models import Assignment
from backend.annotate.sync.completion import tell_that_answers_arrived
from backend.core.jobs.models import Job
from backend.decide.agreement.queue import MEASURE_AGREEMENT
from tests.backend.annotate.sync.sync_bench import Bench


def measurements() -> int:
    return Job.objects.filter(kind=MEASURE_AGREEMENT).count()


@pytest.fixture
def pushed(bench: Bench) -> Bench:
    bench.push()
    return bench


def submit_all(bench: Bench, but: int = 0) -> list[int]:
    return [
        bench.submit(annotator, item, "asking-advice")
        for annotator in (bench.work.cast.amal, bench.work.cast.bea)
        for item in bench.work.items[: 5 - but]
    ]


def test_the_last_answer_has_the_batch_measured(
    pushed: Bench, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    submit_all(pushed, but=1)
    last = pushed.work.items[4]
    pushed.submit(pushed.work.cast.amal, last)
    with django_capture_on_commit_callbacks(execute=True):
        pushed.poll()
    assert measurements() == 0
    pushed.submit(pushed.work.cast.bea, last)
    with django_capture_on_commit_callbacks(execute=True):
        pushed.poll()
    assert measurements() == 1


def test_a_quiet_poll_and_a_later_edit_ask_for_nothing(
    pushed: Bench, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    annotations = submit_all(pushed)
    with django_capture_on_commit_callbacks(execute=True):
        pushed.poll()
    with django_capture_on_commit_callbacks() as callbacks:
        pushed.poll()
    assert callbacks == []
    pushed.server.change(annotations[0], pushed.results(pushed.work.items[0], "sharing-emotions"))
    with django_capture_on_commit_callbacks(execute=True):
        pushed.poll()
    assert measurements() == 1


def test_whoever_is_withdrawn_is_not_waited_for(pushed: Bench) -> None:
    submit_all(pushed)
    pushed.poll()
    chen = Assignment.objects.create(
        batch=pushed.batch, annotator=pushed.work.cast.chen, assigned_at=timezone.now()
    )
    chen.assigned_items.create(item=pushed.work.items[0], position=0)
    tell_that_answers_arrived(pushed.batch.pk, timezone.now())
    assert measurements() == 0
    Assignment.objects.filter(pk=chen.pk).update(withdrawn_at=timezone.now())
    tell_that_answers_arrived(pushed.batch.pk, timezone.now())
    assert measurements() == 1
