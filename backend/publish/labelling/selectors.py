"""What pages, calls and services read about labelling runs."""

from __future__ import annotations

from django.db.models import Max, QuerySet
from django.http import Http404

from backend.core.jobs.models import JobState
from backend.core.studies.models import Study
from backend.publish.labelling.models import LabellingRun, LabellingState

UNDER_WAY = (LabellingState.WAITING, LabellingState.RUNNING)
ENDED = (LabellingState.FINISHED, LabellingState.CANCELLED)


def labelling_runs(study: Study) -> QuerySet[LabellingRun]:
    """Newest first."""
    return study.labelling_runs.select_related(
        "study", "adapter", "edition", "corpus", "sample", "job", "created_by"
    )


def finished_runs(study: Study) -> QuerySet[LabellingRun]:
    return labelling_runs(study).filter(state=LabellingState.FINISHED)


def run_numbered(study: Study, number: int) -> LabellingRun:
    found = labelling_runs(study).filter(number=number).first()
    if found is None:
        raise Http404(f"This study has no labelling run {number}.")
    return found


def finished_run_numbered(study: Study, number: int) -> LabellingRun:
    found = run_numbered(study, number)
    if not found.output_hash:
        raise Http404(f"Labelling run {number} is not finished: its labels can be had when it is.")
    return found


def next_number(study: Study) -> int:
    newest: int | None = study.labelling_runs.aggregate(newest=Max("number"))["newest"]
    return (newest or 0) + 1


def current_state(run: LabellingRun) -> LabellingState:
    """How a run stands, though nobody could write it down: its job may have been stopped in the queue, or its worker
    died too often."""
    state, job = LabellingState(run.state), run.job
    if state not in UNDER_WAY or (job is not None and not job.is_over):
        return state
    is_failed = job is not None and job.state == JobState.FAILED
    return LabellingState.FAILED if is_failed else LabellingState.CANCELLED
