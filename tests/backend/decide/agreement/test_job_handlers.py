"""A measurement is asked for, waits, and is kept once; whatever goes wrong is said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.agreement.registry import method_version
from backend.annotate.batches.models import Batch
from backend.annotate.judgments.models import Change
from backend.annotate.judgments.version_store import keep_arrivals
from backend.core.jobs.models import Job
from backend.core.jobs.runner import run_job
from backend.core.ml_tasks.following import UNANSWERED, WAITING
from backend.decide.agreement.models import AgreementReport
from backend.decide.agreement.reading import read_report
from backend.decide.agreement.services import request_measurement
from backend.operate.monitoring.findings import Level
from backend.operate.monitoring.rows import ml_worker_finding
from learning.tasks.contract import AgreementResult
from learning.tasks.locks import hold_lock
from ml_backend.worker.measuring import REPORT
from tests.backend.decide.agreement.conftest import Measuring, answers_of, folder_of, work_as_ml_backend
from tests.backend.decide.agreement.fixtures import Team
from tests.batch_fixtures import CastAtWork
from tests.cast import NOW


@pytest.fixture
def job(work: CastAtWork, overlap: Batch) -> Job:
    return request_measurement(batch=overlap, actor=work.cast.rosa, now=NOW)


def run(job: Job) -> Job:
    run_job(job_id=job.pk, clock=timezone.now)
    return Job.objects.get(pk=job.pk)


def test_the_first_attempt_leaves_the_inputs_and_waits_in_the_queue(job: Job) -> None:
    after = run(job)
    assert (after.state, after.attempts) == ("queued", 0)
    assert "aiting for the ML backend" in after.progress_note
    assert answers_of(job).exists()
    assert not AgreementReport.objects.exists()


def test_nobody_misses_an_ml_backend_that_measures_for_long(job: Job) -> None:
    """The job is months old in all of these tries."""
    assert run(job).progress_note == UNANSWERED
    with hold_lock(folder_of(job).slot(folder_of(job).read_request())):
        assert run(job).progress_note == "Waiting until the ML backend is done with another task"
        assert ml_worker_finding().level is Level.OK
    assert run(job).progress_note == UNANSWERED, "it died"
    assert ml_worker_finding().level is Level.WARNING


def test_a_measurement_that_was_just_asked_for_is_no_reason_to_worry(
    work: CastAtWork, overlap: Batch
) -> None:
    job = request_measurement(batch=overlap, actor=work.cast.rosa, now=timezone.now())
    assert run(job).progress_note == WAITING
    assert ml_worker_finding().level is Level.OK


def test_the_next_attempt_keeps_the_report(job: Job, work: CastAtWork, overlap: Batch) -> None:
    run(job)
    work_as_ml_backend(job)
    measures = (folder_of(job).path / REPORT).read_text()
    after = run(job)
    report = AgreementReport.objects.get()
    assert after.state == "done"
    assert after.result == {
        "summary": "“Overlap 1” is measured.",
        "url": f"/studies/kind-words/agreement/reports/{report.pk}",
        "report": report.pk,
    }
    assert (report.batch, report.requested_by, report.is_partial) == (overlap, work.cast.rosa, False)
    assert report.measures == measures and not folder_of(job).path.exists()
    assert read_report(report).n_items == len(work.items)
    assert work.study.events.filter(summary="Measured agreement in the batch “Overlap 1”").count() == 1


def test_the_same_answers_are_measured_once(overlap: Batch, measured: Measuring, work: CastAtWork) -> None:
    first = measured(overlap)
    again = run(request_measurement(batch=overlap, actor=work.cast.ravi, now=NOW))
    assert again.state == "done"
    assert again.result == {
        "summary": "Nothing has changed since this was measured.",
        "url": f"/studies/kind-words/agreement/reports/{first.pk}",
        "report": first.pk,
    }
    assert AgreementReport.objects.count() == 1


def test_a_report_that_came_without_a_message_is_kept_too(job: Job) -> None:
    """The wake-up was lost: the sweep runs the job again, and it finds the file."""
    run(job)
    run(job)
    work_as_ml_backend(job)
    assert run(job).state == "done"
    assert AgreementReport.objects.count() == 1


def test_a_failure_of_the_ml_backend_fails_the_job_with_its_reason(job: Job) -> None:
    run(job)
    answers_of(job).write_bytes(b'{"codes": 3')
    work_as_ml_backend(job)
    after = run(job)
    assert after.state == "failed"
    assert "TaskFailed: The ML backend could not do it: AgreementFileUnreadable" in after.error
    assert not folder_of(job).path.exists()


def test_after_a_failure_the_job_can_be_tried_again(job: Job, work: CastAtWork, overlap: Batch) -> None:
    run(job)
    folder_of(job).write_failure("no memory.")
    assert run(job).state == "failed"
    again = request_measurement(batch=overlap, actor=work.cast.rosa, now=NOW)
    assert again.pk != job.pk
    run(again)
    work_as_ml_backend(again)
    assert run(again).state == "done"


def test_a_report_that_cannot_be_read_is_removed_and_said(job: Job) -> None:
    run(job)
    (folder_of(job).path / REPORT).write_text('{"n_items": "many"}')
    folder_of(job).write_result(AgreementResult(report=REPORT))
    after = run(job)
    assert after.state == "failed"
    assert "ReportUnreadable" in after.error
    assert not folder_of(job).path.exists()


def test_answers_that_came_in_meanwhile_are_measured_instead(
    job: Job, work: CastAtWork, overlap: Batch
) -> None:
    run(job)
    work_as_ml_backend(job)
    before = answers_of(job)
    share = overlap.assignments.get(annotator=work.cast.amal)
    item = share.assigned_items.select_related("item")[0].item
    share.annotation_versions.filter(item_key=item.item_id).delete()
    Team(work).answer(share, item, work.answers(item, "asking-advice"))
    assert run(job).state == "queued"
    now = answers_of(job)
    assert now != before
    work_as_ml_backend(job)
    assert run(job).state == "done"
    assert AgreementReport.objects.get().inputs_hash == now.name.partition(".")[0]


def test_a_batch_that_is_gone_needs_no_report(job: Job, overlap: Batch) -> None:
    Job.objects.filter(pk=job.pk).update(arguments={**job.arguments, "batch": 999})
    assert run(job).result == {"summary": "The batch was discarded: there is nothing to measure."}


def test_the_failure_of_an_old_job_fails_no_new_one(job: Job, work: CastAtWork, overlap: Batch) -> None:
    """The ML backend fails after nobody waits any more: the job was stopped."""
    run(job)
    left = folder_of(job).failure
    folder_of(job).write_failure("no memory.")
    Job.objects.filter(pk=job.pk).update(state="cancelled", finished_at=NOW)
    again = request_measurement(batch=overlap, actor=work.cast.rosa, now=NOW)
    assert again.pk != job.pk
    assert run(again).state == "queued"
    work_as_ml_backend(again)
    assert run(again).state == "done"
    assert left.exists()


def test_answers_are_measured_anew_by_a_new_method(
    overlap: Batch, measured: Measuring, work: CastAtWork, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = measured(overlap)
    assert (old.method, read_report(old).method) == (method_version(), method_version())
    newer = method_version() + 1
    for module in ("job_handlers", "services", "reading"):
        monkeypatch.setattr(f"backend.decide.agreement.{module}.method_version", lambda: newer)
    job = request_measurement(batch=overlap, actor=work.cast.rosa, now=NOW)
    assert run(job).state == "queued"
    work_as_ml_backend(job)
    stale = run(job)
    assert (stale.state, "another version" in stale.error) == ("failed", True)
    monkeypatch.setattr("annotation.agreement.batch.method_version", lambda: newer)
    again = request_measurement(batch=overlap, actor=work.cast.rosa, now=NOW)
    run(again)
    work_as_ml_backend(again)
    assert run(again).state == "done"
    assert sorted(AgreementReport.objects.values_list("method", flat=True)) == [method_version(), newer]


def decoded(run_it: Callable[[], object]) -> int:
    """How often answers were read as Label Studio sent them, which is what takes long."""
    with CaptureQueriesContext(connection) as asked:
        run_it()
    return sum('"body"' in one["sql"] for one in asked)


def test_a_request_decodes_no_answer(work: CastAtWork, overlap: Batch) -> None:
    asked = decoded(lambda: request_measurement(batch=overlap, actor=work.cast.rosa, now=NOW))
    assert asked == 0


def test_only_the_first_attempt_decodes_the_answers(job: Job, work: CastAtWork, overlap: Batch) -> None:
    assert decoded(lambda: run(job)) == 1
    assert decoded(lambda: run(job)) == 0
    share = overlap.assignments.get(annotator=work.cast.amal)
    Team(work).answer(share, work.items[0], None)
    assert decoded(lambda: run(job)) == 1, "an answer came since"
    work_as_ml_backend(job)
    assert decoded(lambda: run(job)) == 0
    assert AgreementReport.objects.exists()


def test_answers_of_which_none_is_sound_fail_the_job_with_its_reason(work: CastAtWork) -> None:
    cast = work.cast
    batch = work.batch(cast.amal, cast.bea, items=work.items[:1], name="Unsound")
    for share in batch.assignments.all():
        arrival = replace(Team(work)._arrival(share, work.items[0], None), change=Change.SUBMITTED, body="{}")
        keep_arrivals(assignment=share, arrivals=[arrival], now=NOW)
    asked = request_measurement(batch=batch, actor=cast.rosa, now=NOW)
    after = run(asked)
    assert after.state == "failed" and "Unsound" in after.error
