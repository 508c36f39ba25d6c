"""A training as its page shows it while it goes on: progress, loss curve and what was said."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.http import Http404
from django.utils.dateparse import parse_datetime

from annotation.adapters.learners import title_of
from annotation.orders.progress import SaidLine, loss_curve, read_progress
from backend.adapters.charts import loss_chart, validation_chart
from backend.adapters.queue import TRAIN_ADAPTER
from backend.adapters.requests import TrainJob
from backend.jobs.models import Job
from backend.jobs.selectors import study_jobs
from backend.orders.folders import order_folder
from backend.studies.models import Study
from backend.web.charts import Chart

LINES_SHOWN = 200


@dataclass(frozen=True, slots=True)
class LogLine:
    at: datetime | None
    text: str


@dataclass(frozen=True, slots=True)
class LiveTraining:
    asked: TrainJob
    title: str
    lines: tuple[LogLine, ...]
    n_lines: int
    charts: tuple[Chart, ...]


def training_job(study: Study, job_id: int) -> Job:
    found = study_jobs(study.pk).filter(pk=job_id, kind=TRAIN_ADAPTER).first()
    if found is None:
        raise Http404("This study has no such training.")
    return found


def live_training(study: Study, job: Job, *, step: str = "") -> LiveTraining:
    """`step` is that of a job in which training is one of several."""
    asked = TrainJob.model_validate(job.arguments)
    lines = read_progress(order_folder(study, job.pk, step).progress).lines
    said = [LogLine(parse_datetime(line.at), line.text) for line in lines if isinstance(line, SaidLine)]
    points = loss_curve(lines)
    return LiveTraining(
        asked,
        f"{title_of(asked.request.learner)} on release {asked.request.release}",
        tuple(said[-LINES_SHOWN:]),
        len(said),
        (loss_chart(points), validation_chart(points)) if points else (),
    )
