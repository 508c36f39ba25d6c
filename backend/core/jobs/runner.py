"""Runs one job from claim to end: the only place where handlers are called."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime

from django.conf import settings

from backend.core.jobs.context import JobContext
from backend.core.jobs.errors import JobCancelled, JobPostponed, LeaseLost, WorkerStopping
from backend.core.jobs.failures import describe_failure, describe_trace
from backend.core.jobs.handlers import handler_for
from backend.core.jobs.leases import claim_job, fail_job, finish_job, hand_back_job, stop_cancelled_job
from backend.core.jobs.pulse import Pulse
from backend.core.jobs.values import Claim

logger = logging.getLogger(__name__)
BEATS_PER_LEASE = 3


def run_job(*, job_id: int, clock: Callable[[], datetime]) -> None:
    """Does nothing when the job is not queued any more: a message may come late, or twice."""
    claim = claim_job(job_id=job_id, now=clock())
    if claim is None:
        return
    logger.info("Job %s (%s) started.", claim.job_id, claim.kind)
    try:
        with Pulse(claim, interval=settings.JOB_LEASE / BEATS_PER_LEASE, clock=clock) as pulse:
            _run_claimed(claim, JobContext(claim, pulse, clock=clock), clock)
    except LeaseLost:
        logger.warning("Job %s was lost to another worker; nothing was written.", claim.job_id)


def _run_claimed(claim: Claim, context: JobContext, clock: Callable[[], datetime]) -> None:
    try:
        result = handler_for(claim.kind)(context, claim.arguments)
        finish_job(claim, result=result, progress=context.progress, now=clock())
    except LeaseLost:
        raise
    except (WorkerStopping, JobPostponed) as reason:
        hand_back_job(claim, progress=context.progress, now=clock())
        logger.info("Job %s (%s) was handed back: %s", claim.job_id, claim.kind, type(reason).__name__)
    except JobCancelled:
        stop_cancelled_job(claim, progress=context.progress, now=clock())
        logger.info("Job %s (%s) was cancelled.", claim.job_id, claim.kind)
    except Exception as error:
        logger.error("Job %s (%s) failed:\n%s", claim.job_id, claim.kind, describe_trace(error))
        fail_job(claim, error=describe_failure(error), progress=context.progress, now=clock())
    else:
        logger.info("Job %s (%s) is done.", claim.job_id, claim.kind)
