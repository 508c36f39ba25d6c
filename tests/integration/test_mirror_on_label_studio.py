"""The mirror on the real Label Studio: what an annotator does through the gate arrives, whole and once."""

from __future__ import annotations

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from annotation.encoding import encode_answers
from backend.accounts.models import User
from backend.batches.models import Batch
from backend.judgments.models import Submission
from backend.label_studio.client import HttpLabelStudio
from backend.mirror.entrance import entrance_for
from backend.mirror.models import Project
from backend.mirror.polling import poll_all
from backend.mirror.push import bring_in_line
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
    return project.label_studio_id, dict(
        project.tasks.values_list("assigned_item__item__item_id", "label_studio_id")
    )


def test_submit_and_edit_arrive_for_each_annotator_apart(work: CastAtWork, server: HttpLabelStudio) -> None:
    cast, item = work.cast, work.items[0]
    batch = work.batch(cast.amal, cast.bea, items=work.items[:2])
    for _ in range(2):
        bring_in_line(batch, server, now=timezone.now(), report=lambda done, total: None)
    for annotator, code in ((cast.amal, "asking-advice"), (cast.bea, "sharing-emotions")):
        project, tasks = tasks_of(batch, annotator)
        assert sorted(tasks) == sorted(item.item_id for item in work.items[:2])
        share = batch.assignments.get(annotator=annotator)
        with AnnotatorSession(entrance_for(share, None)) as session:
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
