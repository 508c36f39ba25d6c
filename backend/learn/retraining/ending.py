"""How a run ends, once, with a notice to the researchers that says what came of it."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.urls import reverse

from backend.core.jobs.models import Job, JobState
from backend.core.notices.models import NoticeKind
from backend.core.notices.services import tell_researchers
from backend.core.studies.services import record_event
from backend.learn.retraining.models import RetrainingRun, RunState

KINDS = {
    RunState.PROMOTED: NoticeKind.GOOD,
    RunState.KEPT_OUT: NoticeKind.INFO,
    RunState.NOTHING_NEW: NoticeKind.INFO,
    RunState.FAILED: NoticeKind.ERROR,
    RunState.CANCELLED: NoticeKind.WARN,
}
STOPPED = "it was stopped; the model in service stays. Its page can start it again where it stopped."


@transaction.atomic
def end_run(*, run: RetrainingRun, state: RunState, words: str, now: datetime) -> bool:
    """Whether it was this call that ended it."""
    under_way = RetrainingRun.objects.filter(pk=run.pk, state=RunState.RUNNING)
    if under_way.update(state=state, words=words[:600], finished_at=now) != 1:
        return False
    text = f"Retraining {run.number}: {words}"
    tell_researchers(
        study=run.study,
        # A run that failed and is tried again may end a second time, with another thing to tell.
        key=f"retraining {run.number} {state} {run.job.fence}",
        kind=KINDS[state],
        text=text,
        url=reverse("retraining:run", args=[run.study.slug, run.number]),
        now=now,
    )
    record_event(study=run.study, actor=run.started_by, summary=text, now=now)
    return True


def close_abandoned_runs(*, now: datetime) -> list[RetrainingRun]:
    """Those whose job was stopped in the queue, or whose worker died too often to say so itself."""
    silent = RetrainingRun.objects.filter(
        state=RunState.RUNNING, job__state__in=[JobState.FAILED, JobState.CANCELLED]
    ).select_related("study", "job", "started_by")
    return [run for run in silent if _close(run, run.job, now)]


def _close(run: RetrainingRun, job: Job, now: datetime) -> bool:
    if job.state == JobState.CANCELLED:
        return end_run(run=run, state=RunState.CANCELLED, words=STOPPED, now=now)
    return end_run(run=run, state=RunState.FAILED, words=failed_words(job.error), now=now)


def failed_words(error: str) -> str:
    return f"it failed, and the model in service stays. {error} Its page says how far it came; try again from there."
