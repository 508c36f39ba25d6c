"""Long work on the server: wait for it with a progress bar."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from tqdm.auto import tqdm

from attune_client.connection import AttuneError, Connection

ACTIVE = ("queued", "running")
LOOK_EVERY_SECONDS = 0.5


class JobFailed(AttuneError):
    """The job ended without a result; the message is what the server says of it."""

    def __init__(self, job: Job) -> None:
        super().__init__(f"Job {job.id} ({job.kind}) {job.state}: {job.error or 'it was stopped.'}", 0)
        self.job = job


class JobTakesLonger(AttuneError):
    """It was not done within the time that was given; it goes on."""


@dataclass(frozen=True)
class Job:
    id: int
    kind: str
    state: str
    progress_done: int
    progress_total: int | None
    progress_unit: str
    progress_note: str
    result: Any
    error: str

    @classmethod
    def of(cls, answer: dict[str, Any]) -> Job:
        return cls(**{name: answer[name] for name in cls.__dataclass_fields__})

    @property
    def is_over(self) -> bool:
        return self.state not in ACTIVE


def wait_for_job(
    connection: Connection, path: str, job: Job | int, *, timeout: float | None, progress: bool
) -> Job:
    """Raises JobFailed, or JobTakesLonger after `timeout` seconds."""
    number = job if isinstance(job, int) else job.id
    begun = time.monotonic()
    with tqdm(disable=not progress, leave=False) as bar:
        while True:
            now = Job.of(connection.get(f"{path}/jobs/{number}"))
            bar.total, bar.n, bar.unit = now.progress_total, now.progress_done, f" {now.progress_unit}"
            bar.set_description(now.progress_note or now.kind)
            if now.is_over:
                break
            if timeout is not None and time.monotonic() - begun > timeout:
                raise JobTakesLonger(f"Job {number} ({now.kind}) goes on after {timeout:g} s.", 0)
            time.sleep(LOOK_EVERY_SECONDS)
    if now.state != "done":
        raise JobFailed(now)
    return now
