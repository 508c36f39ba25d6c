"""The whole loop on real processes and the real Label Studio: judgments, a model by beat, suggestions, judgments again,
and a second model that is in service only because it is better; a third that is not stays out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from annotation.label_studio.encoding import encode_answers
from backend.annotate.batches.models import Batch, BatchKind
from backend.annotate.label_studio.annotator_session import AnnotatorSession
from backend.annotate.label_studio.client import HttpLabelStudio, connect
from backend.annotate.sync.models import Project
from backend.annotate.sync.push import bring_in_line
from backend.annotate.sync.seats import entrance_for
from backend.core.accounts.models import User
from backend.core.jobs.models import Job
from backend.core.notices.models import Notice
from backend.decide.releases.models import Release
from backend.design.samples.models import Item
from backend.design.samples.selectors import item_text
from backend.learn.models.selectors import adapter_in_service
from backend.learn.prelabels.models import PrelabelChoice
from backend.learn.prelabels.selectors import shown_suggestions, suggested_by
from backend.learn.prelabels.services import change_choice, push_batch
from backend.learn.retraining.models import RetrainingRun, RunState, ScheduleKind
from backend.learn.retraining.services import Plan, change_schedule
from tests.backend.learn.retraining.telling_words import (
    HOPEFUL,
    PLAIN,
    TIRED,
    telling_items,
    telling_study,
    true_answers,
)
from tests.batch_fixtures import CastAtWork
from tests.cast import Cast
from tests.integration.instance import Instance, wait_until
from tests.integration.label_studio_server import RunningLabelStudio

pytestmark = [pytest.mark.label_studio, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
PATIENCE = 240.0


@pytest.fixture
def server(label_studio: RunningLabelStudio, settings: Settings, tmp_path: Path) -> HttpLabelStudio:
    settings.LABEL_STUDIO_URL = label_studio.url
    settings.LABEL_STUDIO_TOKEN = label_studio.instance.token
    settings.RELEASES_DIR = tmp_path / "releases"
    settings.ADAPTERS_DIR = tmp_path / "adapters"
    settings.ML_DIR = tmp_path / "ml"
    return HttpLabelStudio(label_studio.url, label_studio.instance.token)


@pytest.fixture
def at_work(server: HttpLabelStudio, label_studio: RunningLabelStudio, tmp_path: Path) -> Iterator[None]:
    """Beat, a worker for jobs and the sync, and the ML backend."""
    extra = {
        "ATTUNE_LABEL_STUDIO_URL": label_studio.url,
        "ATTUNE_LABEL_STUDIO_TOKEN": label_studio.instance.token,
    }
    instance = Instance(tmp_path, "filesystem://", lease_seconds=10, extra=extra)
    with instance.ml(), instance.worker("celery,sync"), instance.beat():
        yield


def opened(work: CastAtWork, server: HttpLabelStudio, name: str, items: list[Item], annotator: User) -> Batch:
    batch = work.batch(annotator, items=items, name=name, kind=BatchKind.MAIN)
    bring_in_line(batch, server, now=timezone.now(), report=lambda done, total: None)
    return batch


def annotate(work: CastAtWork, server: HttpLabelStudio, batch: Batch) -> None:
    """The annotator signs in through the access app and says of each item what is true."""
    share = batch.assignments.get()
    project = Project.objects.get(assignment=share).label_studio_id or 0
    items = {place.item.item_id: place.item for place in share.assigned_items.select_related("item")}
    with AnnotatorSession(entrance_for(share, None, server)) as session:
        for task in connect().task_index(project):
            item = items[task.item]
            answers = true_answers(work.codebook, item)
            session.submit(project, task.id, encode_answers(work.codebook, item_text(item), answers))


def suggest(batch: Batch) -> None:
    """The message goes to the test's own broker, so that the sweep has to find the job."""
    job = push_batch(batch=batch, actor=None, now=timezone.now())
    Job.objects.filter(pk=job.pk).update(woken_at=None)
    wait_until(lambda: Job.objects.get(pk=job.pk).is_over, patience=PATIENCE)
    assert Job.objects.get(pk=job.pk).state == "done"


def retrain_when(work: CastAtWork, enough: int) -> None:
    plan = Plan(ScheduleKind.JUDGMENTS, enough=enough, learner="tfidf-logistic")
    change_schedule(study=work.study, plan=plan, actor=work.cast.rosa, now=timezone.now())


def run_by_beat(number: int) -> RetrainingRun:
    ended = RetrainingRun.objects.filter(number=number).exclude(state=RunState.RUNNING)
    wait_until(ended.exists, patience=PATIENCE)
    run = ended.get()
    assert run.started_by is None
    return run


def test_a_study_teaches_its_model_and_the_better_one_serves(
    cast: Cast, server: HttpLabelStudio, at_work: None
) -> None:
    work = telling_study(cast)
    choice = PrelabelChoice(blind_share=0.5)
    change_choice(study=work.study, choice=choice, actor=cast.rosa, now=timezone.now())
    retrain_when(work, 40)

    annotate(work, server, opened(work, server, "First", telling_items(work, 40, PLAIN, TIRED), cast.amal))
    first = run_by_beat(1)
    assert first.state == RunState.PROMOTED and first.adapter, first.words
    assert adapter_in_service(work.study) == first.adapter

    # Not before the last of them: what would be left over counts for the third
    retrain_when(work, 48)
    batch = opened(work, server, "Second", telling_items(work, 48, HOPEFUL), cast.bea)
    suggest(batch)
    shown = shown_suggestions(work.study).filter(prediction__adapter=first.adapter)
    annotate(work, server, batch)
    second = run_by_beat(2)
    # Those that were judged blind, and those alone, say which model is better
    assert 0 < shown.count() < 48
    assert set(suggested_by(work.study).values()) == {(first.adapter.adapter_id,)}
    assert second.state == RunState.PROMOTED, second.words
    assert second.promotion_report is not None
    assert second.promotion_report.incumbent == first.adapter
    assert adapter_in_service(work.study) == second.adapter

    retrain_when(work, 9)
    third_items = telling_items(work, 9, HOPEFUL, PLAIN, TIRED)
    annotate(work, server, opened(work, server, "Third", third_items, cast.chen))
    third = run_by_beat(3)
    assert third.state == RunState.KEPT_OUT, third.words
    assert adapter_in_service(work.study) == second.adapter
    assert Release.objects.count() == 3
    assert list(Notice.objects.order_by("pk").values_list("kind", flat=True)) == ["good", "good", "info"]
