"""Carries what the ML backend says about a task into the job's row."""

from __future__ import annotations

from backend.core.jobs.context import JobContext
from learning.tasks.folder import TaskFolder
from learning.tasks.progress import PointLine, SaidLine, read_progress


class TaskFollower:
    """`report` is where a job learns that it must stop."""

    def __init__(self, context: JobContext, folder: TaskFolder) -> None:
        self._context = context
        self._folder = folder
        self._offset = 0
        self._done, self._total, self._note = 0, None, ""
        self.job_id = context.job_id

    _total: int | None

    def report(self) -> None:
        """Somebody works on it."""
        was_taken(self._context)
        self._read()
        self._context.report(done=self._done, total=self._total, unit=self._unit, note=self._note)

    def report_waiting(self, note: str = "") -> None:
        note = note or waiting_note(self._context)
        self._context.report(done=self._done, total=self._total, unit=self._unit, note=note)

    @property
    def _unit(self) -> str:
        return "steps" if self._total else ""

    def _read(self) -> None:
        found = read_progress(self._folder.progress, self._offset)
        self._offset = found.offset
        for line in found.lines:
            match line:
                case PointLine():
                    self._done, self._total = line.point.step, line.point.n_steps
                case SaidLine():
                    self._note = line.text


WAITING = "Waiting for the ML backend"
UNANSWERED = "Still waiting for the ML backend: see whether its process “ml” runs"


def waiting_note(context: JobContext) -> str:
    """A job that waited in vain says so until somebody takes its work: a new try alone is no reason to hope."""
    return UNANSWERED if context.earlier_note == UNANSWERED else WAITING


def was_taken(context: JobContext) -> None:
    context.earlier_note = ""
