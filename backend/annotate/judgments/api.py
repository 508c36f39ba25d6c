"""Calls about judgments: what each annotator said, and the very words in which it came."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest, StreamingHttpResponse
from ninja import Field, Router, Schema

from backend.annotate.judgments import selectors
from backend.annotate.judgments.exports import json_lines
from backend.annotate.judgments.models import AnnotationVersion, Change
from backend.core.accounts.access import user_of
from backend.core.studies.access import RESEARCHER, study_of

router = Router(auth=RESEARCHER)


class VersionOut(Schema):
    id: int = Field(alias="pk")
    annotation_id: int
    item_id: str = Field(alias="item_key")
    change: Change
    sha256: str
    created_there_at: datetime
    changed_there_at: datetime
    seen_at: datetime
    body: str


@router.get("")
def read_judgments(request: HttpRequest, batch: int | None = None) -> StreamingHttpResponse:
    """JSON Lines, one submission a line, with judgments by code and spans by offsets; of one batch or of all."""
    lines = json_lines(study_of(request), batch_id=batch, viewer=user_of(request))
    return StreamingHttpResponse(lines, content_type="application/jsonl")


@router.get("versions/{int:version_id}", response=VersionOut)
def read_version(request: HttpRequest, version_id: int) -> AnnotationVersion:
    """The annotation behind a judgment, word for word as Label Studio sent it; it may hold quotes of the text."""
    return selectors.version_of(study_of(request), version_id, user_of(request))
