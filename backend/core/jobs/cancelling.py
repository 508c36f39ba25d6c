"""Who wants to know that a job was cancelled; other apps register, so that this one need not know what jobs started."""

from __future__ import annotations

from collections.abc import Callable

Cancelled = Callable[[int], None]
_callbacks: list[Cancelled] = []


def on_cancel(callback: Cancelled) -> Cancelled:
    """It is called with the job's number once the request is committed, whether or not a worker follows the job, and
    again if the job ends by that without the worker that held it."""
    if callback not in _callbacks:
        _callbacks.append(callback)
    return callback


def tell_of_cancel(job_id: int) -> None:
    for callback in _callbacks:
        callback(job_id)
