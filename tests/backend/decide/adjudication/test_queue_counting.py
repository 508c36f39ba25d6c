"""Pages work a few changes of the queue out at once, and leave many to one job."""

from __future__ import annotations

import pytest

from backend.core.jobs.models import Job, JobState
from backend.core.jobs.runner import run_job
from backend.decide.adjudication import queue_rows
from backend.decide.adjudication.models import QueueMark
from backend.decide.adjudication.queue import count_queue
from backend.decide.adjudication.queue_rows import refresh_or_enqueue, refresh_queue
from tests.backend.decide.adjudication.fixtures import Bench, later
from tests.backend.decide.adjudication.queue_life import stored, worked_out
from tests.backend.decide.adjudication.test_views import client_of


@pytest.mark.parametrize("path", ["adjudication", "members", "adjudication/counting"])
def test_a_page_leaves_many_changes_to_one_job(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(queue_rows, "CHUNK", 3)
    for item in bench.items[:4]:
        bench.disagree(item)
    before = stored(bench.study)
    bench.plan(threshold=0, second_share=1)
    marked = set(QueueMark.objects.values_list("pk", flat=True))
    client = client_of(bench.cast.rosa)
    for _ in range(2):
        shown = client.get(f"/studies/{bench.study.slug}/{path}")
    assert set(QueueMark.objects.values_list("pk", flat=True)) == marked != set()
    job = Job.objects.get()
    assert (job.kind, job.state) == ("refresh_adjudication_queue", JobState.QUEUED)
    counts = count_queue(bench.cast.rosa, bench.study)
    assert counts.is_counting and counts.total == len(before)

    run_job(job_id=job.pk, clock=lambda: later(1))
    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert job.result and job.result["summary"] == "4 items of the queue worked out again."
    assert not QueueMark.objects.exists()
    assert stored(bench.study) == worked_out(bench.study)
    assert not count_queue(bench.cast.rosa, bench.study).is_counting
    assert Job.objects.count() == 1 and shown.status_code < 300


def test_a_few_changes_are_worked_out_at_once(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue_rows, "CHUNK", 4)
    for item in bench.items[:4]:
        bench.disagree(item)
    bench.plan(threshold=0, second_share=1)
    assert QueueMark.objects.exists()
    assert not count_queue(bench.cast.rosa, bench.study).is_counting
    assert not QueueMark.objects.exists() and not Job.objects.exists()
    assert stored(bench.study) == worked_out(bench.study)


def test_a_job_that_failed_is_not_asked_for_again_at_once(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue_rows, "CHUNK", 1)
    for item in bench.items[:2]:
        bench.decide(item, bench.cast.rosa)
    assert refresh_or_enqueue(bench.study, now=later(0))
    Job.objects.update(state=JobState.FAILED, finished_at=later(1), error="Broken")
    assert refresh_or_enqueue(bench.study, now=later(5))
    assert Job.objects.count() == 1
    assert refresh_or_enqueue(bench.study, now=later(12))
    assert Job.objects.count() == 2


def test_pages_say_that_the_queue_is_being_counted(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue_rows, "CHUNK", 1)
    client, here = client_of(bench.cast.rosa), f"/studies/{bench.study.slug}"
    for item in bench.items[:2]:
        bench.decide(item, bench.cast.rosa)
    queue = client.get(f"{here}/adjudication").content.decode()
    assert f'hx-get="{here}/adjudication/counting" hx-trigger="every 2s"' in queue
    assert "The queue is being counted again" in queue and "Nothing to settle yet" not in queue
    assert 'title="Being counted again"' in client.get(f"{here}/members").content.decode()
    assert client.get(f"/api/v1{here}/adjudication/queue").json()["is_counting"]
    assert client.get(f"{here}/adjudication/counting").status_code == 204

    refresh_queue(bench.study)
    assert client.get(f"{here}/adjudication/counting").headers["HX-Refresh"] == "true"
    assert "being counted" not in client.get(f"{here}/adjudication").content.decode().lower()
