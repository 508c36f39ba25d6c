"""Schedules for tests of retraining, and what they started."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from backend.core.jobs.context import JobContext
from backend.core.jobs.leases import claim_job, requeue_expired
from backend.core.jobs.pulse import Pulse
from backend.core.studies.models import Study
from backend.learn.retraining.models import RetrainingRun, RetrainingSchedule, RunState, ScheduleKind
from backend.learn.retraining.services import Plan, change_schedule
from tests.batch_fixtures import CastAtWork
from tests.cast import NOW

NIGHTLY = Plan(ScheduleKind.NIGHTLY, hour=2)


def scheduled(work: CastAtWork, plan: Plan = NIGHTLY, now: datetime = NOW) -> RetrainingSchedule:
    return change_schedule(study=work.study, plan=plan, actor=work.cast.rosa, now=now)


def occasions(study: Study) -> list[str]:
    """In the order in which their runs began."""
    return list(study.retraining_runs.order_by("number").values_list("occasion", flat=True))


def end(run: RetrainingRun, now: datetime, state: RunState = RunState.NOTHING_NEW) -> None:
    """As its job would."""
    RetrainingRun.objects.filter(pk=run.pk).update(state=state, finished_at=now)


def context_of(run: RetrainingRun) -> JobContext:
    """As a worker gets it that takes the run's job."""
    claim = claim_job(job_id=run.job_id, now=timezone.now())
    assert claim is not None
    return JobContext(
        claim, Pulse(claim, interval=timedelta(hours=1), clock=timezone.now), clock=timezone.now
    )


def lose(run: RetrainingRun) -> None:
    """The worker dies: its lease runs out, and the job goes back to the queue."""
    requeue_expired(now=timezone.now() + timedelta(days=1))
