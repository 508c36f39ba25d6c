"""Carries what the ML backend says about a task into the job's row."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from backend.core.jobs.context import JobContext
from backend.core.jobs.models import Job
from backend.core.web.formats import without_server_paths
from learning.tasks.folder import TaskFolder
from learning.tasks.progress import CountLine, ProgressLine, SaidLine, TrainingPoint, read_progress

WAITING = "Waiting for the ML backend"
UNANSWERED = "Still waiting for the ML backend: see whether its process “ml” runs"
SUSPICIOUS_WAIT = timedelta(minutes=1)


class TaskFollower:
    """`report` and `report_waiting` are where a job learns that it must stop."""

    def __init__(self, context: JobContext, folder: TaskFolder, unit: str = "steps") -> None:
        self._context = context
        self._folder = folder
        self._unit = unit
        self._offset = 0
        self._done, self._note = 0, ""
        self._total: int | None = None
        self.job_id = context.job_id

    def report(self) -> None:
        """Somebody works on it."""
        was_taken(self._context)
        self.read()
        self._report(self._note)

    def report_waiting(self, note: str = "") -> None:
        self._report(note or waiting_note(self._context))

    def report_unanswered(self) -> None:
        """What was asked for just now is no reason to worry yet."""
        asked_at = Job.objects.values_list("created_at", flat=True).get(pk=self.job_id)
        is_old = timezone.now() - asked_at >= SUSPICIOUS_WAIT
        self.report_waiting(UNANSWERED if is_old else "")

    def _report(self, note: str) -> None:
        unit = self._unit if self._total else ""
        self._context.report(done=self._done, total=self._total, unit=unit, note=note)

    def read(self) -> None:
        found = read_progress(self._folder.progress, self._offset)
        self._offset = found.offset
        for line in found.lines:
            self.take(line)

    def take(self, line: ProgressLine) -> None:
        match line:
            case TrainingPoint():
                self._done, self._total = line.step, line.n_steps
            case CountLine():
                self._done, self._total = line.done, line.total
            case SaidLine():
                self._note = without_server_paths(line.text)


def waiting_note(context: JobContext) -> str:
    """A job that waited in vain says so until somebody takes its work: a new try alone is no reason to hope."""
    return UNANSWERED if context.earlier_note == UNANSWERED else WAITING


def was_taken(context: JobContext) -> None:
    context.earlier_note = ""
