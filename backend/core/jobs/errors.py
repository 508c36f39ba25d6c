"""What can go wrong with a job, each under its own name."""

from __future__ import annotations


class JobError(Exception):
    """Something about a job is not as the caller thought."""


class UnknownJobKind(JobError):
    """No handler is registered for this kind of job."""


class LeaseLost(JobError):
    """Another worker may hold the job by now: stop, and write nothing."""


class JobCancelled(JobError):
    """A person asked for the job to stop."""


class WorkerStopping(JobError):
    """The worker was told to stop: the job goes back to the queue for another one."""


class JobPostponed(JobError):
    """What the job needs is in use: it goes back to the queue and is tried again soon."""


class JobAlreadyOver(JobError):
    """The job has ended and cannot be cancelled."""


class JobNotRetryable(JobError):
    """Only a failed or cancelled job can be tried again."""
