"""Calls that freeze releases, read and verify them, and hand them out."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils import timezone
from ninja import Field, Router, Schema, Status

from backend.core.accounts.access import user_of
from backend.core.jobs.api import JobOut
from backend.core.jobs.models import Job
from backend.core.studies.access import RESEARCHER, study_of
from backend.decide.releases.assembling import assemble, next_number
from backend.decide.releases.models import Release
from backend.decide.releases.requests import FreezeRequest
from backend.decide.releases.selectors import problems_of, refuse_hidden_labels, release_numbered, row_of
from backend.decide.releases.services import enqueue_freezing
from backend.decide.releases.storage import exchange_name, zip_exchange, zip_name, zip_release

router = Router(auth=RESEARCHER)


class ReleaseOut(Schema):
    number: int
    name: str
    note: str
    edition: int = Field(alias="edition.number")
    hash: str
    request: dict[str, Any]
    counts: dict[str, Any]
    is_imported: bool
    created_at: datetime


class ReleasePreviewOut(Schema):
    """`left_out` counts items by reason."""

    edition: int
    newest_edition: int
    counts: dict[str, Any]


class VerifiedOut(Schema):
    is_sound: bool
    hash: str
    problems: list[str]


@router.get("", response=list[ReleaseOut])
def list_releases(request: HttpRequest) -> list[Release]:
    return list(study_of(request).releases.select_related("edition"))


@router.post("preview", response=ReleasePreviewOut)
def preview_release(request: HttpRequest, body: FreezeRequest) -> dict[str, Any]:
    """What the same request would freeze, without freezing it."""
    study = study_of(request)
    content = assemble(study, body, number=next_number(study), now=timezone.now())
    return {
        "edition": content.edition.number,
        "newest_edition": content.edition.newest,
        "counts": msgspec.to_builtins(content.counts),
    }


@router.post("", response={202: JobOut})
def freeze_release(request: HttpRequest, body: FreezeRequest) -> Status[Job]:
    """Starts a job; its result names the release."""
    job = enqueue_freezing(study=study_of(request), request=body, actor=user_of(request), now=timezone.now())
    return Status(202, job)


@router.get("{int:number}", response=ReleaseOut)
def read_release(request: HttpRequest, number: int) -> Release:
    return release_numbered(study_of(request), number)


@router.post("{int:number}/verify", response=VerifiedOut)
def verify_release(request: HttpRequest, number: int) -> dict[str, Any]:
    """Whether every file is, byte for byte, what was frozen."""
    release = release_numbered(study_of(request), number)
    problems = problems_of(release)
    return {"is_sound": not problems, "hash": release.hash, "problems": problems}


@router.get("{int:number}/release.zip")
def download_release(request: HttpRequest, number: int) -> StreamingHttpResponse:
    """The whole folder as one file; with texts only if the release was frozen with them."""
    release = release_numbered(study_of(request), number)
    refuse_hidden_labels(release, user_of(request))
    return StreamingHttpResponse(
        zip_release(release),
        content_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{zip_name(release)}"'},
    )


@router.get("{int:number}/exchange/{format_name}")
def export_release(request: HttpRequest, number: int, format_name: str) -> HttpResponse:
    """For other annotation tools: `label-studio`, `conll`, `brat` or `xmi`, as a zip. Only of releases with texts."""
    release = release_numbered(study_of(request), number)
    refuse_hidden_labels(release, user_of(request))
    return HttpResponse(
        zip_exchange(release, format_name),
        content_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{exchange_name(release, format_name)}"'},
    )


@router.get("{int:number}/items/{item_id}")
def read_release_item(request: HttpRequest, number: int, item_id: str) -> dict[str, Any]:
    """One item of a release: its labels with their sources, votes by pseudonym, and the decision."""
    row = row_of(release_numbered(study_of(request), number), item_id)
    found: dict[str, Any] = msgspec.to_builtins(row)
    return found
