"""A study with a release to learn from, and an ML backend that works within the test."""

from __future__ import annotations

from pathlib import Path

from django.utils import timezone

from backend.core.jobs.models import Job
from backend.core.jobs.runner import run_job
from backend.core.ml_tasks.folders import task_folder
from backend.core.studies.models import Study
from backend.decide.releases.importing import import_release
from backend.decide.releases.models import Release
from backend.learn.models.models import Adapter, PromotionReport
from backend.learn.models.queue import enqueue_gate, enqueue_training
from backend.learn.models.requests import TrainRequest
from backend.learn.models.selectors import adapter_numbered
from codebook.shipped import load_shipped
from learning.tasks.folder import TaskFolder
from learning.tasks.progress import ProgressWriter
from ml_backend.worker.kinds import work_on
from tests.cast import NOW
from tests.ml_backend.fixtures import made_release
from tests.ml_backend.tiny_backbone import make_backbone

EPITOME = load_shipped("epitome")


def release_in(study: Study, folder: Path, n: int = 40, *, with_texts: bool = True) -> Release:
    """Of made-up items whose labels their words give away."""
    made_release(folder, EPITOME, n, with_texts=with_texts)
    return import_release(study=study, folder=folder, actor=study.created_by, now=NOW)


def run(job: Job) -> Job:
    run_job(job_id=job.pk, clock=timezone.now)
    return Job.objects.get(pk=job.pk)


def folder_of(job: Job, step: str = "") -> TaskFolder:
    assert job.study is not None
    return task_folder(job.study, job.pk, step)


def work_as_ml_backend(folder: TaskFolder) -> None:
    """What a process of the ML backend does with a task, without the process."""
    with folder.hold():
        folder.write_result(work_on(folder, folder.read_request(), ProgressWriter(folder.progress)))


def ask_for_training(release: Release, learner: str = "majority", **asked: object) -> Job:
    request = TrainRequest.model_validate({"release": release.number, "learner": learner, **asked})
    study = release.study
    return enqueue_training(study=study, release=release, request=request, actor=study.created_by, now=NOW)


def train(release: Release, learner: str = "majority", **asked: object) -> Adapter:
    job = ask_for_training(release, learner, **asked)
    assert run(job).state == "queued"
    work_as_ml_backend(folder_of(job))
    after = run(job)
    assert after.state == "done" and after.result, after.error
    return adapter_numbered(release.study, after.result["adapter"])


def train_tiny(release: Release, home: Path, **asked: object) -> Adapter:
    """Of a learner that can go on from an adapter, on a backbone that is made on the spot."""
    options = {"backbone": make_backbone(home / "tiny"), "epochs": 1, "rank": 4, "max_tokens": 64}
    return train(release, "encoder-lora", options=options, **asked)


def examine(adapter: Adapter) -> PromotionReport:
    job = enqueue_gate(adapter=adapter, actor=adapter.study.created_by, now=NOW)
    assert run(job).state == "queued"
    work_as_ml_backend(folder_of(job))
    after = run(job)
    assert after.state == "done" and after.result, after.error
    return PromotionReport.objects.get(pk=after.result["report"])
