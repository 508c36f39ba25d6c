"""Leaves training to a worker, and through it to the ML backend."""

from __future__ import annotations

from datetime import datetime

from annotation.release.rows import SplitPart
from backend.core.accounts.models import User
from backend.core.jobs.models import Job
from backend.core.jobs.selectors import active_jobs
from backend.core.jobs.services import enqueue_job
from backend.core.studies.models import Study
from backend.decide.releases.models import Release
from backend.learn.models.errors import AlwaysAnew, NotComparable, OtherLearner, TextsNeeded
from backend.learn.models.models import Adapter
from backend.learn.models.probing import refuse_unprobeable
from backend.learn.models.requests import (
    CompareJob,
    ContextProbeRequest,
    ProbeJob,
    PromotionJob,
    TrainJob,
    TrainRequest,
)
from backend.learn.models.selectors import adapter_numbered
from learning.learners.registry import can_continue

TRAIN_ADAPTER, EXAMINE_ADAPTER = "train_adapter", "examine_adapter"
COMPARE_ADAPTERS, PROBE_ADAPTER = "compare_adapters", "probe_adapter"


def enqueue_training(
    *,
    study: Study,
    release: Release,
    request: TrainRequest,
    actor: User | None,
    now: datetime,
    grid: int | None = None,
) -> Job:
    refuse_textless(release)
    request.refuse_unknown()
    if request.parent is not None:
        refuse_unfit_parent(adapter_numbered(study, request.parent), request.learner)
    asked = TrainRequest.model_validate({**request.model_dump(), "release": release.number})
    job = TrainJob(request=asked, actor=actor.pk if actor else None, grid=grid)
    return enqueue_job(
        kind=TRAIN_ADAPTER,
        arguments=job.model_dump(mode="json"),
        study=study,
        created_by=actor,
        now=now,
    )


def enqueue_gate(*, adapter: Adapter, actor: User | None, now: datetime) -> Job:
    """While it is being examined, that job is the answer."""
    for job in active_jobs(adapter.study_id).filter(kind=EXAMINE_ADAPTER):
        if PromotionJob.model_validate(job.arguments).adapter == adapter.number:
            return job
    asked = PromotionJob(adapter=adapter.number, actor=actor.pk if actor else None)
    return enqueue_job(
        kind=EXAMINE_ADAPTER,
        arguments=asked.model_dump(mode="json"),
        study=adapter.study,
        created_by=actor,
        now=now,
    )


def enqueue_probe(
    *, adapter: Adapter, request: ContextProbeRequest, actor: User | None, now: datetime
) -> Job:
    """While the same is being probed, that job is the answer."""
    refuse_unprobeable(adapter, request)
    for job in active_jobs(adapter.study_id).filter(kind=PROBE_ADAPTER):
        waiting = ProbeJob.model_validate(job.arguments)
        if (waiting.adapter, waiting.request) == (adapter.number, request):
            return job
    asked = ProbeJob(adapter=adapter.number, request=request, actor=actor.pk if actor else None)
    return enqueue_job(
        kind=PROBE_ADAPTER,
        arguments=asked.model_dump(mode="json"),
        study=adapter.study,
        created_by=actor,
        now=now,
    )


def enqueue_comparison(
    *, first: Adapter, second: Adapter, part: SplitPart, actor: User | None, now: datetime
) -> Job:
    """While the same is being compared, that job is the answer."""
    if first == second or first.release_id != second.release_id:
        raise NotComparable
    asked = CompareJob(first=first.number, second=second.number, part=part, actor=actor.pk if actor else None)
    for job in active_jobs(first.study_id).filter(kind=COMPARE_ADAPTERS):
        waiting = CompareJob.model_validate(job.arguments)
        if (waiting.first, waiting.second, waiting.part) == (asked.first, asked.second, asked.part):
            return job
    return enqueue_job(
        kind=COMPARE_ADAPTERS,
        arguments=asked.model_dump(mode="json"),
        study=first.study,
        created_by=actor,
        now=now,
    )


def refuse_unfit_parent(parent: Adapter, learner: str) -> None:
    """Whether options and codebook fit too, the learner itself says."""
    if not can_continue(learner):
        raise AlwaysAnew(learner)
    if parent.learner != learner:
        raise OtherLearner(parent.number, parent.learner)


def refuse_textless(release: Release) -> None:
    if not release.request["texts"]:
        raise TextsNeeded(release.name)
