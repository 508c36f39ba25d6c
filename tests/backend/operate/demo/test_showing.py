"""What the demo does with its first model: into service, over the corpus, into a report, each once."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from backend.core.jobs.models import Job, JobState
from backend.core.jobs.services import enqueue_job
from backend.design.corpora.models import Corpus
from backend.learn.models.models import AdapterEvent, EventKind
from backend.learn.models.selectors import adapter_in_service
from backend.learn.retraining.models import RetrainingRun, RunState
from backend.operate.demo.queue import enqueue_showing
from backend.operate.demo.showing import REASON
from backend.publish.labelling.models import LabellingRun
from backend.publish.reports.queue import MAKE_REPORT
from tests.backend.learn.models.fixtures import run
from tests.backend.publish.labelling.fixtures import adapter_in, label_as_ml_backend, look
from tests.cast import NOW, Cast


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, settings: Settings) -> None:
    for name in ("RELEASES", "ADAPTERS", "LABELLED", "CORPORA", "ML", "REPORTS"):
        setattr(settings, f"{name}_DIR", tmp_path / name.lower())
    settings.ML_PATIENCE = timedelta(0)


def learned(cast: Cast, folder: Path, state: RunState) -> RetrainingRun:
    adapter = adapter_in(cast.study, folder)
    job = enqueue_job(kind="retrain", arguments={}, study=cast.study, created_by=None, now=NOW)
    return RetrainingRun.objects.create(
        study=cast.study,
        number=1,
        occasion="by hand",
        job=job,
        state=state,
        final_judgments=1,
        edition=adapter.edition,
        release=adapter.release,
        training={},
        adapter=adapter,
        started_at=NOW,
        finished_at=None if state == RunState.RUNNING else NOW,
    )


def test_the_model_serves_labels_and_is_reported_on(cast: Cast, demo_corpus: Corpus, tmp_path: Path) -> None:
    model = learned(cast, tmp_path / "release", RunState.KEPT_OUT).adapter
    job = enqueue_showing(study=cast.study, now=timezone.now())
    assert run(job).state == JobState.QUEUED
    assert adapter_in_service(cast.study) == model
    event = AdapterEvent.objects.get(adapter=model)
    assert (event.kind, event.reason, event.actor) == (EventKind.OVERRIDDEN, REASON, cast.rosa)
    labelling = LabellingRun.objects.get()
    look(labelling)
    label_as_ml_backend(labelling)
    look(labelling)
    assert run(job).state == JobState.DONE
    assert Job.objects.filter(kind=MAKE_REPORT, study=cast.study).count() == 1
    assert LabellingRun.objects.count() == 1


def test_a_model_that_still_learns_is_waited_for(cast: Cast, demo_corpus: Corpus, tmp_path: Path) -> None:
    learned(cast, tmp_path / "release", RunState.RUNNING)
    assert run(enqueue_showing(study=cast.study, now=timezone.now())).state == JobState.QUEUED
    assert adapter_in_service(cast.study) is None
    assert not LabellingRun.objects.exists()
