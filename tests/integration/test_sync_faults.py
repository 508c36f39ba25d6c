"""kill -9 of Label Studio and of our workers at random moments: nothing is lost and nothing doubled."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path

import httpx
import pytest
from django.db import connection
from django.utils import timezone
from pytest_django.fixtures import Settings

from annotation.label_studio.encoding import encode_answers
from backend.annotate.batches.models import Assignment, Batch
from backend.annotate.batches.queue import enqueue_preparation
from backend.annotate.judgments.models import AnnotationVersion, Quarantined, Submission
from backend.annotate.label_studio.annotator_session import AnnotatorSession
from backend.annotate.label_studio.client import HttpLabelStudio, connect
from backend.annotate.label_studio.errors import LabelStudioError
from backend.annotate.label_studio.process import LabelStudioInstance
from backend.annotate.sync.errors import SyncError
from backend.annotate.sync.models import Project
from backend.annotate.sync.polling import poll_all
from backend.annotate.sync.seats import entrance_for
from backend.core.accounts.models import User
from backend.core.jobs.models import ACTIVE_STATES, Job, JobState
from backend.core.jobs.services import retry_job
from backend.design.samples.selectors import item_text
from tests.batch_fixtures import Work, made_items
from tests.cast import Cast
from tests.integration.instance import Instance, wait_until
from tests.integration.kills import kills
from tests.integration.label_studio_server import copied_instance, run_label_studio

pytestmark = [pytest.mark.label_studio, pytest.mark.django_db(transaction=True)]
# Enough for a push to take a while
ITEMS = 400


@dataclass
class KillableServer:
    """A Label Studio that comes back on the same data and the same port."""

    instance: LabelStudioInstance
    _running: Iterator[object] | None = None
    _pid: int = 0

    def start(self) -> None:
        running = run_label_studio(self.instance)
        self._pid = next(running).pid
        self._running = running

    def kill(self) -> None:
        os.killpg(self._pid, signal.SIGKILL)
        if self._running is not None:
            with suppress(ProcessLookupError):
                self._running.close()  # type: ignore[attr-defined]
        self._running = None


@dataclass
class KillableWorker:
    """One worker for both queues, and the schedule beside it."""

    instance: Instance
    _stack: ExitStack = field(default_factory=ExitStack)
    _process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._stack = ExitStack()
        self._process = self._stack.enter_context(self.instance.worker("celery,sync"))

    def kill(self) -> None:
        if self._process is not None and self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._stack.close()


@dataclass
class Diligence:
    """An annotator who submits all the time and remembers what Label Studio acknowledged."""

    work: Work
    annotator: User
    acknowledged: list[int] = field(default_factory=list)
    _stop: threading.Event = field(default_factory=threading.Event)

    def until_stopped(self) -> None:
        sessions: dict[int, AnnotatorSession] = {}
        turn = 0
        while not self._stop.wait(0.05):
            turn += 1
            try:
                todo = _open_task(self.annotator, turn)
                if todo is None:
                    continue
                project, task, item = todo
                number = project.label_studio_id or 0
                if number not in sessions:
                    sessions[number] = AnnotatorSession(entrance_for(project.assignment, None, connect()))
                self.acknowledged.append(sessions[number].submit(number, task, self._results(item)))
            except (httpx.HTTPError, LabelStudioError, SyncError):
                _close(sessions)
                self._stop.wait(0.3)
            finally:
                connection.close()
        _close(sessions)

    def stop(self) -> None:
        self._stop.set()

    def _results(self, item_id: str) -> list[dict[str, object]]:
        item = self.work.items[int(item_id.removeprefix("item-"))]
        answers = self.work.answers(item, "asking-advice")
        return encode_answers(self.work.codebook, item_text(item), answers)


def _close(sessions: dict[int, AnnotatorSession]) -> None:
    for session in sessions.values():
        session.close()
    sessions.clear()


def _open_task(annotator: User, turn: int) -> tuple[Project, int, str] | None:
    """One of the items that this annotator has not been seen to submit yet, and where it is."""
    projects = Project.objects.filter(assignment__annotator=annotator, state="ready")
    found = list(projects.select_related("assignment__batch").order_by("-pk")[:4])
    if not found:
        return None
    project = found[turn % len(found)]
    done = set(
        Submission.objects.filter(assigned_item__assignment=project.assignment).values_list(
            "assigned_item__item__item_id", flat=True
        )
    )
    tasks = [task for task in connect().task_index(project.label_studio_id or 0) if task.item not in done]
    return (project, tasks[0].id, tasks[0].item) if tasks else None


@pytest.fixture
def settings_here(
    settings: Settings, tmp_path: Path, migrated_label_studio: Path
) -> tuple[Settings, LabelStudioInstance]:
    server = copied_instance(migrated_label_studio, tmp_path / "label-studio")
    settings.LABEL_STUDIO_URL = server.public_url
    settings.LABEL_STUDIO_TOKEN = server.token
    return settings, server


@contextmanager
def working(*diligent: Diligence) -> Iterator[None]:
    threads = [threading.Thread(target=one.until_stopped) for one in diligent]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for one in diligent:
            one.stop()
        for thread in threads:
            thread.join()


@dataclass
class Hits:
    """What was going on at the moment of each kill."""

    pushes: int = 0
    pulls: int = 0

    def note(self, began: datetime, *diligent: Diligence) -> None:
        self.pushes += _a_push_is_under_way(began)
        self.pulls += _something_is_unread(*diligent)


@kills(few=4, many=20)
def test_kills_lose_nothing_and_double_nothing(
    cast: Cast, tmp_path: Path, settings_here: tuple[Settings, LabelStudioInstance], n_kills: int
) -> None:
    """In turn: the worker and Label Studio in the middle of a push, then both with work that nobody has read yet."""
    _, server_instance = settings_here
    rng = random.Random(20)
    work = Work.of(cast.study, cast.rosa, made_items(cast.study, ITEMS))
    server = KillableServer(server_instance)
    instance = Instance(
        tmp_path,
        "filesystem://",
        extra={
            "ATTUNE_LABEL_STUDIO_URL": server_instance.public_url,
            "ATTUNE_LABEL_STUDIO_TOKEN": server_instance.token,
        },
    )
    worker = KillableWorker(instance)
    batches: list[Batch] = []

    def open_batch() -> None:
        batch = work.batch(cast.amal, cast.bea, items=work.items, name=f"Batch {len(batches)}")
        job = enqueue_preparation(batch=batch, actor=cast.rosa, now=timezone.now())
        # This process's messages reach no worker: the schedule has to find the job, and soon
        Job.objects.filter(pk=job.pk).update(woken_at=None)
        batches.append(batch)

    amal, bea = Diligence(work, cast.amal), Diligence(work, cast.bea)
    hits = Hits()
    server.start()
    worker.start()
    try:
        with instance.beat(), working(amal, bea):
            open_batch()
            wait_until(lambda: bool(amal.acknowledged and bea.acknowledged), patience=90)
            for kill in range(n_kills):
                began = timezone.now()
                if kill % 4 < 2:
                    open_batch()
                    wait_until(partial(_a_push_is_under_way, began))
                    time.sleep(rng.uniform(0, 0.7))
                    if not _a_push_is_under_way(began):
                        open_batch()
                        wait_until(partial(_a_push_is_under_way, began))
                else:
                    wait_until(partial(_has_submitted_more, amal, len(amal.acknowledged)))
                    wait_until(partial(_something_is_unread, amal, bea))
                hits.note(began, amal, bea)
                victim = server if kill % 2 else worker
                victim.kill()
                time.sleep(rng.uniform(0, 0.5))
                victim.start()
            wait_until(_all_jobs_are_done, patience=180)
    finally:
        worker.kill()
    acknowledged = {*amal.acknowledged, *bea.acknowledged}
    client = HttpLabelStudio(server_instance.public_url, server_instance.token)
    poll_all(client, clock=timezone.now)
    _assert_each_item_once(client, batches)
    client.close()
    server.kill()
    assert len(acknowledged) > 2 * n_kills
    assert hits.pushes >= n_kills / 4
    assert hits.pulls >= n_kills / 4
    assert acknowledged <= _seen()
    assert not AnnotationVersion.objects.filter(change="deleted").exists()
    assert Submission.objects.count() + Quarantined.objects.count() == len(_seen())


def _has_submitted_more(annotator: Diligence, than: int) -> bool:
    return len(annotator.acknowledged) > than


def _seen() -> set[int]:
    return set(AnnotationVersion.objects.values_list("annotation_id", flat=True))


def _something_is_unread(*diligent: Diligence) -> bool:
    acknowledged = {number for one in diligent for number in one.acknowledged}
    return not acknowledged <= _seen()


def _a_push_is_under_way(since: datetime) -> bool:
    """By a worker that has shown life since then: the one that was killed before leaves its job running, too."""
    return Job.objects.filter(state=JobState.RUNNING, heartbeat_at__gt=since).exists()


def _all_jobs_are_done() -> bool:
    """A job that was killed three times waits for a person to try it again: here that person is quick."""
    for job in Job.objects.filter(state=JobState.FAILED):
        retry_job(job_id=job.pk, now=timezone.now())
    return not Job.objects.filter(state__in=ACTIVE_STATES).exists()


def _assert_each_item_once(client: HttpLabelStudio, batches: list[Batch]) -> None:
    markers = Counter(seen.marker for seen in client.projects())
    for share in Assignment.objects.filter(batch__in=batches):
        project = Project.objects.get(assignment=share)
        assert markers[project.marker] == 1
        items = Counter(task.item for task in client.task_index(project.label_studio_id or 0))
        assert items == Counter(place.item.item_id for place in share.assigned_items.select_related("item"))
