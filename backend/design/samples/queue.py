"""Leaves the drawing of a sample to a worker."""

from __future__ import annotations

from datetime import datetime

from backend.core.accounts.models import User
from backend.core.jobs.models import Job
from backend.core.jobs.services import enqueue_job
from backend.core.studies.models import Study
from backend.design.samples.requests import DrawJob, DrawRequest
from backend.design.samples.services import refuse_impossible, refuse_taken_name

DRAW_SAMPLE = "draw_sample"


def enqueue_draw(*, study: Study, request: DrawRequest, actor: User, now: datetime) -> Job:
    """What cannot be drawn is refused at once; of a corpus that is too large to look at here, the job tells."""
    corpus, design, others = request.corpus_in(study), request.design(), request.samples_to_avoid(study)
    refuse_taken_name(study, request.name)
    refuse_impossible(corpus=corpus, design=design, seed=request.seed, disjoint_from=others)
    job = DrawJob(study=study.pk, actor=actor.pk, request=request)
    return enqueue_job(
        kind=DRAW_SAMPLE, arguments=job.model_dump(mode="json"), study=study, created_by=actor, now=now
    )
