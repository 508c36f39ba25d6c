"""Calls that scan a sample for personal data and decide what becomes of each place."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Router, Schema, Status

from backend.annotate.personal_data.models import Finding, FindingState
from backend.annotate.personal_data.requests import DecisionRequest, ScanRequest, enqueue_scan
from backend.annotate.personal_data.selectors import find_places
from backend.annotate.personal_data.services import (
    keep_findings,
    reopen_findings,
    replace_findings,
    restore_texts,
)
from backend.core.accounts.access import user_of
from backend.core.jobs.api import JobOut
from backend.core.jobs.models import Job
from backend.core.studies.access import RESEARCHER, study_of
from backend.design.samples.selectors import sample_of

router = Router(auth=RESEARCHER)
MOST = 1000


class PersonalPlaceOut(Schema):
    """Where it stands: offsets in code points of the item's `title`, `post_text` or `reply_text`."""

    id: int
    item_id: str = Field(alias="item.item_id")
    part: str
    kind: str
    start: int
    end: int
    state: str
    decided_at: datetime | None


class ChangedOut(Schema):
    changed: int


@router.get("samples/{int:sample_id}/personal-data", response=list[PersonalPlaceOut])
def list_findings(
    request: HttpRequest, sample_id: int, state: str = FindingState.OPEN.value, kind: str = "", after: int = 0
) -> list[Finding]:
    """1,000 at most; go on with `after`, the last id. No words: read them in the item."""
    sample = sample_of(study_of(request), sample_id)
    found = find_places(sample, state=state, kind=kind).filter(pk__gt=after)
    return list(found.order_by("pk")[:MOST])


@router.post("samples/{int:sample_id}/personal-data/scan", response={202: JobOut})
def scan_sample(request: HttpRequest, sample_id: int, body: ScanRequest) -> Status[Job]:
    sample = sample_of(study_of(request), sample_id)
    return Status(
        202, enqueue_scan(sample=sample, names=body.names, actor=user_of(request), now=timezone.now())
    )


@router.post("samples/{int:sample_id}/personal-data/decisions", response=ChangedOut)
def decide_findings(request: HttpRequest, sample_id: int, body: DecisionRequest) -> dict[str, int]:
    """Replaces, keeps or opens again; texts of items that are in a batch cannot be changed any more."""
    study = study_of(request)
    found = find_places(sample_of(study, sample_id), kind=body.kind)
    chosen = found.filter(pk__in=body.findings) if body.findings or not body.kind else found
    act = {"replace": replace_findings, "keep": keep_findings, "reopen": reopen_findings}[body.decision]
    return {"changed": act(study=study, findings=chosen, actor=user_of(request), now=timezone.now())}


@router.post("samples/{int:sample_id}/personal-data/restore", response=ChangedOut)
def restore_sample_texts(request: HttpRequest, sample_id: int) -> dict[str, int]:
    """Takes all replacements in the sample back, from the corpus."""
    sample = sample_of(study_of(request), sample_id)
    return {"changed": restore_texts(sample=sample, actor=user_of(request), now=timezone.now())}
