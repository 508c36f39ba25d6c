"""What pages, calls and services read about reports."""

from __future__ import annotations

from django.db.models import Max, QuerySet
from django.http import Http404

from backend.core.studies.models import Study
from backend.publish.labelling.models import LabellingRun
from backend.publish.reports.models import Report
from learning.labelling.read import scan_units


def reports_of(study: Study) -> QuerySet[Report]:
    """Newest first."""
    return study.reports.select_related(
        "study", "labelling_run__adapter", "labelling_run__corpus", "release", "created_by"
    )


def report_numbered(study: Study, number: int) -> Report:
    found = reports_of(study).filter(number=number).first()
    if found is None:
        raise Http404(f"This study has no report {number}.")
    return found


def next_number(study: Study) -> int:
    newest: int | None = study.reports.aggregate(newest=Max("number"))["newest"]
    return (newest or 0) + 1


def communities_of(run: LabellingRun) -> list[str]:
    """Those of which the run labelled anything; empty if its files are gone."""
    if not run.files.units.is_file():
        return []
    found = scan_units(run.folder).select("community").unique().collect(engine="streaming")
    return sorted(found["community"].to_list())


def last_topics(study: Study) -> dict[str, str]:
    """As they were given with earlier reports, the newest first."""
    known: dict[str, str] = {}
    for request in study.reports.order_by("number").values_list("request", flat=True):
        known |= request["topics"]
    return known
