"""The sync on the real Label Studio: what an annotator does through the access app arrives, whole and once."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.core.management import call_command
from django.utils import timezone
from pytest_django.fixtures import Settings

from annotation.label_studio.encoding import encode_answers
from backend.annotate.batches.models import Batch, BatchState
from backend.annotate.batches.queue import DISCARD_BATCH, PREPARE_BATCH
from backend.annotate.batches.services import discard_batch
from backend.annotate.judgments.models import Submission
from backend.annotate.label_studio.annotator_session import AnnotatorSession
from backend.annotate.label_studio.client import HttpLabelStudio, connect
from backend.annotate.label_studio.keys import webhook_secret
from backend.annotate.sync.models import Project
from backend.annotate.sync.polling import poll_all
from backend.annotate.sync.pull import NOTHING, pull_everything
from backend.annotate.sync.push import bring_in_line
from backend.annotate.sync.seats import entrance_for
from backend.annotate.sync.selectors import projects_with_work
from backend.annotate.sync.tasks import take_webhook
from backend.core.accounts.models import User
from backend.core.jobs.models import Job
from backend.core.jobs.runner import run_job
from backend.design.samples.models import Item
from backend.design.samples.selectors import item_text
from tests.batch_fixtures import CastAtWork
from tests.integration.label_studio_server import RunningLabelStudio

pytestmark = [pytest.mark.label_studio, pytest.mark.django_db]


@pytest.fixture
def server(label_studio: RunningLabelStudio, settings: Settings) -> HttpLabelStudio:
    settings.LABEL_STUDIO_URL = label_studio.url
    settings.LABEL_STUDIO_TOKEN = label_studio.instance.token
    return HttpLabelStudio(label_studio.url, label_studio.instance.token)


def results(work: CastAtWork, item: Item, *codes: str) -> list[dict[str, object]]:
    return encode_answers(work.codebook, item_text(item), work.answers(item, *codes))


def tasks_of(batch: Batch, annotator: User) -> tuple[int, dict[str, int]]:
    project = Project.objects.get(assignment__batch=batch, assignment__annotator=annotator)
    assert project.label_studio_id is not None
    index = connect().task_index(project.label_studio_id)
    return project.label_studio_id, {task.item: task.id for task in index}


def test_submit_and_edit_arrive_for_each_annotator_apart(work: CastAtWork, server: HttpLabelStudio) -> None:
    cast, item = work.cast, work.items[0]
    batch = work.batch(cast.amal, cast.bea, items=work.items[:2])
    for _ in range(2):
        bring_in_line(batch, server, now=timezone.now(), report=lambda done, total: None)
    for annotator, code in ((cast.amal, "asking-advice"), (cast.bea, "sharing-emotions")):
        project, tasks = tasks_of(batch, annotator)
        assert sorted(tasks) == sorted(item.item_id for item in work.items[:2])
        share = batch.assignments.get(annotator=annotator)
        with AnnotatorSession(entrance_for(share, None, server)) as session:
            assert session.next_task(project) == tasks[item.item_id]
            annotation = session.submit(project, tasks[item.item_id], results(work, item, code))
            poll_all(server, clock=timezone.now)
            session.change(project, annotation, results(work, item, code, "seeking-calibration"))
    poll_all(server, clock=timezone.now)
    for annotator, code in ((cast.amal, "asking-advice"), (cast.bea, "sharing-emotions")):
        submission = Submission.objects.get(assigned_item__assignment__annotator=annotator)
        ticked = set(submission.judgments.filter(value=1).values_list("code", flat=True))
        assert ticked == {code, "seeking-calibration"}
        assert (submission.edits, submission.lead_seconds) == (1, 20.0)
    server.close()


@pytest.fixture
def webhooks(server: HttpLabelStudio, settings: Settings) -> Iterator[list[str]]:
    """Stands where Attune's web process would; takes webhooks with the right secret, and none else."""
    taken: list[str] = []
    secret = webhook_secret(settings.LABEL_STUDIO_TOKEN)

    class Taker(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            if self.headers.get("X-Attune-Webhook") == secret:
                taken.append(self.path.rpartition("/")[2])
            self.send_response(204)
            self.end_headers()

        def log_message(self, *arguments: object) -> None:
            """Silent."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Taker) as receiver:
        settings.PUBLIC_URL = f"http://127.0.0.1:{receiver.server_port}"
        thread = threading.Thread(target=receiver.serve_forever)
        thread.start()
        try:
            yield taken
        finally:
            receiver.shutdown()
            thread.join()


def test_webhooks_dropped_doubled_and_shuffled_end_in_the_same_state(
    work: CastAtWork, server: HttpLabelStudio, webhooks: list[str]
) -> None:
    """Both annotators work in turns, and their webhooks come in bursts, as after a stay of the network."""
    rng = random.Random(30)
    cast = work.cast
    batch = work.batch(cast.amal, cast.bea, items=work.items)
    bring_in_line(batch, server, now=timezone.now(), report=lambda done, total: None)
    expected: dict[tuple[User, str], set[str]] = {}
    came = 0
    with ExitStack() as stack:
        sessions = {
            annotator: stack.enter_context(
                AnnotatorSession(entrance_for(batch.assignments.get(annotator=annotator), None, server))
            )
            for annotator in (cast.amal, cast.bea)
        }
        for item in work.items:
            for annotator, session in sessions.items():
                project, tasks = tasks_of(batch, annotator)
                code = rng.choice(["asking-advice", "sharing-emotions"])
                annotation = session.submit(project, tasks[item.item_id], results(work, item, code))
                if rng.random() < 0.3:
                    code = "seeking-calibration"
                    session.change(project, annotation, results(work, item, code))
                expected[annotator, item.item_id] = {code}
            if rng.random() < 0.3:
                came += _deliver(webhooks, rng)
        came += _deliver(webhooks, rng)
    assert came > len(work.items)
    poll_all(server, clock=timezone.now)
    assert _judged() == expected
    for project_row in projects_with_work():
        assert pull_everything(project_row, server, now=timezone.now()) == NOTHING
    server.close()


def _judged() -> dict[tuple[User, str], set[str]]:
    submissions = Submission.objects.select_related(
        "assigned_item__item", "assigned_item__assignment__annotator"
    )
    return {
        (one.assigned_item.assignment.annotator, one.assigned_item.item.item_id): set(
            one.judgments.filter(value=1).values_list("code", flat=True)
        )
        for one in submissions
    }


def _deliver(webhooks: list[str], rng: random.Random) -> int:
    """Of what has come in, three in ten are dropped, three in ten come twice, and the order is lost."""
    now = timezone.now().isoformat()
    waiting = [webhook for webhook in webhooks if rng.random() >= 0.3]
    webhooks.clear()
    waiting += [webhook for webhook in waiting if rng.random() < 0.3]
    rng.shuffle(waiting)
    for marker in waiting:
        take_webhook(marker, now)
    return len(waiting)


def test_a_webhook_is_followed_unless_the_project_was_read_since(
    work: CastAtWork, server: HttpLabelStudio
) -> None:
    amal, item = work.cast.amal, work.items[0]
    batch = work.batch(amal, items=work.items[:2])
    bring_in_line(batch, server, now=timezone.now(), report=lambda done, total: None)
    project, tasks = tasks_of(batch, amal)
    share = batch.assignments.get()
    with AnnotatorSession(entrance_for(share, None, server)) as session:
        session.submit(project, tasks[item.item_id], results(work, item, "asking-advice"))
    row, now = Project.objects.get(), timezone.now()
    Project.objects.update(polled_at=now + timedelta(seconds=1))
    take_webhook("attune:unknown", now.isoformat())
    take_webhook(row.marker, now.isoformat())
    assert _judged() == {}
    take_webhook(row.marker, (now + timedelta(seconds=2)).isoformat())
    assert _judged() == {(amal, item.item_id): {"asking-advice"}}
    server.close()


def test_the_commands_say_where_things_stand_and_put_them_right(
    work: CastAtWork, server: HttpLabelStudio, capsys: pytest.CaptureFixture[str]
) -> None:
    """A project is deleted by hand, with one answer read and one not."""
    amal = work.cast.amal
    batch = work.batch(amal, items=work.items[:3])
    bring_in_line(batch, server, now=timezone.now(), report=lambda done, total: None)
    project, tasks = tasks_of(batch, amal)
    with AnnotatorSession(entrance_for(batch.assignments.get(), None, server)) as session:
        session.submit(project, tasks["item-00000"], results(work, work.items[0], "asking-advice"))
    call_command("poll_label_studio")
    assert capsys.readouterr().out == "1 changes read, 1 answers derived anew.\n"
    server.delete_project(project)
    call_command("poll_label_studio")
    call_command("sync_status", "kind-words")
    assert "repair" in capsys.readouterr().out
    call_command("repair_sync", "kind-words")
    assert "Batch 1 of Amal: 0 changes read" in capsys.readouterr().out
    call_command("sync_status", "kind-words")
    assert "ready" in capsys.readouterr().out
    assert sorted(tasks_of(batch, amal)[1]) == ["item-00001", "item-00002"]
    assert _judged() == {(amal, "item-00000"): {"asking-advice"}}
    server.close()


def test_a_batch_is_discarded_there_and_here_unless_somebody_has_begun(
    work: CastAtWork, server: HttpLabelStudio
) -> None:
    """The submit has not been read yet, so only Label Studio knows of it."""
    cast, item = work.cast, work.items[0]
    begun = work.batch(cast.amal, cast.bea, items=work.items[:2], name="Begun")
    untouched = work.batch(cast.amal, items=work.items[2:4], name="Untouched")
    for batch in (begun, untouched):
        bring_in_line(batch, server, now=timezone.now(), report=lambda done, total: None)
    project, tasks = tasks_of(begun, cast.amal)
    with AnnotatorSession(entrance_for(begun.assignments.get(annotator=cast.amal), None, server)) as session:
        session.submit(project, tasks[item.item_id], results(work, item, "asking-advice"))
    before = len(server.projects())
    for batch in (begun, untouched):
        discard_batch(batch=batch, actor=cast.rosa, now=timezone.now())
    for job in Job.objects.filter(kind=DISCARD_BATCH):
        run_job(job_id=job.pk, clock=timezone.now)
    assert list(Batch.objects.values_list("name", "state")) == [("Begun", BatchState.OPEN)]
    assert len(server.projects()) == before - 1
    for job in Job.objects.filter(kind=PREPARE_BATCH):
        run_job(job_id=job.pk, clock=timezone.now)
    poll_all(server, clock=timezone.now)
    assert _judged() == {(cast.amal, item.item_id): {"asking-advice"}}
    with AnnotatorSession(entrance_for(begun.assignments.get(annotator=cast.bea), None, server)) as session:
        assert session.next_task(tasks_of(begun, cast.bea)[0])
    server.close()
