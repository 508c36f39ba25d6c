"""Handlers for tests of real workers: they leave a line in a journal for everything they do."""

from __future__ import annotations

import os
import time
from pathlib import Path

from backend.core.jobs.context import JobContext
from backend.core.jobs.handlers import job_handler
from backend.core.jobs.values import Json, JsonObject

COUNT = "probe_count"
SIGN = "probe_sign"


@job_handler(COUNT)
def count(context: JobContext, arguments: JsonObject) -> Json:
    """Counts slowly; the journal shows how often it began and how often it came to the end.

    It does not come to the end while there is a file of the journal's name and `.held`.
    """
    journal, steps = Path(str(arguments["journal"])), int(str(arguments["steps"]))
    held = journal.with_suffix(".held")
    write_line(journal, "begin")
    for step in range(1, steps + 1):
        context.report(step, steps, "steps")
        time.sleep(0.1)
    while held.exists():
        context.report(steps, steps, "steps")
        time.sleep(0.1)
    write_line(journal, "end")
    return {"steps": steps}


@job_handler(SIGN)
def sign(context: JobContext, arguments: JsonObject) -> Json:
    """Leaves which job was done in which process."""
    time.sleep(0.3)
    write_line(Path(str(arguments["journal"])), f"{context.job_id}:{os.getpid()}")
    return None


def write_line(journal: Path, line: str) -> None:
    with journal.open("a") as stream:
        stream.write(f"{line}\n")
