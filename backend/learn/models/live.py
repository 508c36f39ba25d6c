"""A training as its page shows it while it goes on."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404

from backend.core.jobs.models import Job
from backend.core.jobs.selectors import study_jobs
from backend.core.ml_tasks.folders import task_folder
from backend.core.studies.models import Study
from backend.learn.models.queue import TRAIN_ADAPTER
from backend.learn.models.requests import TrainJob
from backend.learn.models.watching import Watched, watched
from learning.learners.registry import title_of


@dataclass(frozen=True, slots=True)
class LiveTraining:
    asked: TrainJob
    title: str
    watched: Watched


def training_job(study: Study, job_id: int) -> Job:
    found = study_jobs(study.pk).filter(pk=job_id, kind=TRAIN_ADAPTER).first()
    if found is None:
        raise Http404("This study has no such training.")
    return found


def live_training(study: Study, job: Job) -> LiveTraining:
    asked = TrainJob.model_validate(job.arguments)
    title = f"{title_of(asked.request.learner)} on release {asked.request.release}"
    return LiveTraining(asked, title, watched(task_folder(study, job.pk)))
