"""What pages, calls and services read about labelling runs."""

from __future__ import annotations

from django.db.models import Max, QuerySet
from django.http import Http404

from backend.labelling.models import LabellingRun, LabellingState
from backend.studies.models import Study


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


def next_number(study: Study) -> int:
    newest: int | None = study.labelling_runs.aggregate(newest=Max("number"))["newest"]
    return (newest or 0) + 1
