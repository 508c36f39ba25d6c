"""What can be asked for: a scan, and decisions about what it found."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from ninja import Field, Schema

from backend.core.accounts.models import User
from backend.core.jobs.models import Job
from backend.core.jobs.services import enqueue_job
from backend.design.samples.models import Sample

SCAN_PERSONAL_DATA = "scan_personal_data"
Decision = Literal["replace", "keep", "reopen"]


class ScanRequest(Schema):
    """`names` are looked for as whole words, besides what the rules find."""

    names: list[str] = Field(default_factory=list, max_length=5000)


class ScanJob(ScanRequest):
    sample: int


class DecisionRequest(Schema):
    """About these findings, or about all open ones of a kind."""

    decision: Decision
    findings: list[int] = Field(default_factory=list)
    kind: str = ""


def enqueue_scan(*, sample: Sample, names: list[str], actor: User, now: datetime) -> Job:
    job = ScanJob(sample=sample.pk, names=names)
    return enqueue_job(
        kind=SCAN_PERSONAL_DATA,
        arguments=job.model_dump(mode="json"),
        study=sample.study,
        created_by=actor,
        now=now,
    )
