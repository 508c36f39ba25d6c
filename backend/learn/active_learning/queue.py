"""Leaves it to a worker, and through it to the ML backend, to predict the pool and to read the meter."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel

from backend.core.accounts.models import User
from backend.core.jobs.models import Job
from backend.core.jobs.selectors import active_jobs
from backend.core.jobs.services import enqueue_job
from backend.core.studies.models import Study
from backend.learn.active_learning.pool import candidates_for
from backend.learn.active_learning.requests import PoolRequest
from learning.query_strategies.names import StrategyName

PREDICT_POOL, READ_METER = "predict_pool", "read_savings_meter"
TRIALS, SEED = 20, 1
N_NEXT, WORTHWHILE = 100, 0.01


class PredictPoolJob(BaseModel):
    """The arguments of a prediction of the pool: what it is needed for."""

    strategy: StrategyName
    samples: list[str]
    actor: int | None


class ReadMeterJob(BaseModel):
    """The arguments of a reading. Advice is on the next `n_next` labels, and on whether they add `worthwhile`."""

    n_trials: int = TRIALS
    seed: int = SEED
    n_next: int = N_NEXT
    worthwhile: float = WORTHWHILE
    actor: int | None = None


def request_prediction(*, study: Study, request: PoolRequest, actor: User | None, now: datetime) -> Job:
    """While the same is being predicted, that job is the answer."""
    candidates_for(study, request)
    samples = sorted(request.samples)
    for job in active_jobs(study.pk).filter(kind=PREDICT_POOL):
        known = PredictPoolJob.model_validate(job.arguments)
        if (known.strategy, known.samples) == (request.strategy, samples):
            return job
    asked = PredictPoolJob(strategy=request.strategy, samples=samples, actor=actor.pk if actor else None)
    return _enqueue(PREDICT_POOL, asked, study, actor, now)


def request_reading(
    *, study: Study, actor: User | None, now: datetime, n_next: int = N_NEXT, worthwhile: float = WORTHWHILE
) -> Job:
    asked = ReadMeterJob(n_next=n_next, worthwhile=worthwhile, actor=actor.pk if actor else None)
    for job in active_jobs(study.pk).filter(kind=READ_METER):
        known = ReadMeterJob.model_validate(job.arguments)
        if (known.n_next, known.worthwhile) == (n_next, worthwhile):
            return job
    return _enqueue(READ_METER, asked, study, actor, now)


def _enqueue(kind: str, asked: BaseModel, study: Study, actor: User | None, now: datetime) -> Job:
    return enqueue_job(
        kind=kind, arguments=asked.model_dump(mode="json"), study=study, created_by=actor, now=now
    )


def waiting_job(study: Study, kind: str) -> Job | None:
    return active_jobs(study.pk).filter(kind=kind).order_by("pk").first()
