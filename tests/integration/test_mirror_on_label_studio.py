"""The mirror on the real Label Studio: what an annotator does through the gate arrives, whole and once."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from annotation.encoding import encode_answers
from backend.accounts.models import User
from backend.batches.models import Batch
from backend.judgments.models import Submission
from backend.label_studio.client import HttpLabelStudio, connect
from backend.label_studio.keys import hint_secret
from backend.mirror.entrance import entrance_for
from backend.mirror.models import Project
from backend.mirror.polling import poll_all, read_hinted
from backend.mirror.pull import NOTHING, pull_everything
from backend.mirror.push import bring_in_line
from backend.mirror.selectors import projects_with_work
from backend.samples.models import Item
from backend.samples.selectors import item_text
from tests.given_work import CastAtWork
from tests.integration.annotator_session import AnnotatorSession
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
def hints(server: HttpLabelStudio, settings: Settings) -> Iterator[list[str]]:
    """Stands where Attune's web process would; takes hints with the right secret, and none else."""
    taken: list[str] = []
    secret = hint_secret(settings.LABEL_STUDIO_TOKEN)

    class Taker(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            if self.headers.get("X-Attune-Hint") == secret:
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


def test_hints_dropped_doubled_and_shuffled_end_in_the_same_state(
    work: CastAtWork, server: HttpLabelStudio, hints: list[str]
) -> None:
    rng = random.Random(30)
    cast = work.cast
    batch = work.batch(cast.amal, cast.bea, items=work.items)
    bring_in_line(batch, server, now=timezone.now(), report=lambda done, total: None)
    expected: dict[tuple[User, str], set[str]] = {}
    came = 0
    for annotator in (cast.amal, cast.bea):
        project, tasks = tasks_of(batch, annotator)
        with AnnotatorSession(
            entrance_for(batch.assignments.get(annotator=annotator), None, server)
        ) as session:
            for item in work.items:
                code = rng.choice(["asking-advice", "sharing-emotions"])
                annotation = session.submit(project, tasks[item.item_id], results(work, item, code))
                came += _deliver(hints, rng, server)
                if rng.random() < 0.3:
                    code = "seeking-calibration"
                    session.change(project, annotation, results(work, item, code))
                expected[annotator, item.item_id] = {code}
                came += _deliver(hints, rng, server)
    assert came > len(work.items)
    poll_all(server, clock=timezone.now)
    found = {
        (submission.assigned_item.assignment.annotator, submission.assigned_item.item.item_id): set(
            submission.judgments.filter(value=1).values_list("code", flat=True)
        )
        for submission in Submission.objects.select_related(
            "assigned_item__item", "assigned_item__assignment__annotator"
        )
    }
    assert found == expected
    for project_row in projects_with_work():
        assert pull_everything(project_row, server, now=timezone.now()) == NOTHING
    server.close()


def _deliver(hints: list[str], rng: random.Random, server: HttpLabelStudio) -> int:
    """Of what has come in, three in ten are dropped, three in ten come twice, and the order is lost."""
    waiting = [hint for hint in hints if rng.random() >= 0.3]
    hints.clear()
    waiting += [hint for hint in waiting if rng.random() < 0.3]
    rng.shuffle(waiting)
    for marker in waiting:
        read_hinted(projects_with_work().get(marker=marker), server, clock=timezone.now)
    return len(waiting)
