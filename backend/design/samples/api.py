"""Calls that draw samples and read their items."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.http import HttpRequest, StreamingHttpResponse
from django.utils import timezone
from ninja import Field, Router, Schema, Status

from backend.core.accounts.access import user_of
from backend.core.jobs.api import JobOut
from backend.core.jobs.models import Job
from backend.core.studies.access import RESEARCHER, study_of
from backend.design.samples import services
from backend.design.samples.exports import json_lines
from backend.design.samples.models import Item, Sample
from backend.design.samples.requests import DrawRequest, enqueue_draw
from backend.design.samples.selectors import item_of, sample_of

router = Router(auth=RESEARCHER)


class SampleOut(Schema):
    id: int
    name: str
    corpus: str = Field(alias="corpus.slug")
    design: dict[str, Any]
    seed: int
    frame_hash: str
    n_items: int
    created_at: datetime


class PreviewOut(Schema):
    frame_hash: str
    n_items: int
    communities: list[dict[str, Any]]


class ItemOut(Schema):
    item_id: str
    platform: str
    community: str
    post_id: str
    reply_id: str | None
    title: str
    post_text: str
    reply_text: str | None


@router.get("samples", response=list[SampleOut])
def list_samples(request: HttpRequest) -> list[Sample]:
    study = study_of(request)
    return list(study.samples.select_related("corpus"))


@router.post("samples/preview", response=PreviewOut)
def preview_sample(request: HttpRequest, body: DrawRequest) -> dict[str, Any]:
    """What the same request would draw, without drawing it."""
    study = study_of(request)
    drawn = services.preview_sample(
        corpus=body.corpus_in(study),
        design=body.design(),
        seed=body.seed,
        disjoint_from=body.samples_to_avoid(study),
    )
    communities = [asdict(row) for row in drawn.summary]
    return {"frame_hash": drawn.frame_hash, "n_items": len(drawn.items), "communities": communities}


@router.post("samples", response={202: JobOut})
def draw_sample(request: HttpRequest, body: DrawRequest) -> Status[Job]:
    """Starts a job; its result names the sample."""
    job = enqueue_draw(study=study_of(request), request=body, actor=user_of(request), now=timezone.now())
    return Status(202, job)


@router.get("samples/{int:sample_id}", response=SampleOut)
def read_sample(request: HttpRequest, sample_id: int) -> Sample:
    return sample_of(study_of(request), sample_id)


@router.delete("samples/{int:sample_id}", response={204: None})
def delete_sample(request: HttpRequest, sample_id: int) -> Status[None]:
    """Takes along the items that no other sample holds."""
    sample = sample_of(study_of(request), sample_id)
    services.delete_sample(sample=sample, actor=user_of(request), now=timezone.now())
    return Status(204, None)


@router.get("samples/{int:sample_id}/items")
def read_items(request: HttpRequest, sample_id: int, text: bool = False) -> StreamingHttpResponse:
    """JSON Lines, one item a line with its probabilities; texts only when asked for (`text=true`)."""
    sample = sample_of(study_of(request), sample_id)
    return StreamingHttpResponse(json_lines(sample, with_text=text), content_type="application/jsonl")


@router.get("items/{item_id}", response=ItemOut)
def read_item(request: HttpRequest, item_id: str) -> Item:
    return item_of(study_of(request), item_id)
