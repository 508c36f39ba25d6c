"""What pages and calls read about transfer studies."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import Http404

from backend.core.studies.models import Study
from backend.learn.transfer.models import TransferRun


def runs_of(study: Study) -> QuerySet[TransferRun]:
    """Newest first."""
    return study.transfer_runs.select_related("study", "job", "created_by")


def run_numbered(study: Study, number: int) -> TransferRun:
    found = runs_of(study).filter(number=number).first()
    if found is None:
        raise Http404(f"This study has no transfer study {number}.")
    return found
