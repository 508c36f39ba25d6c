"""Calls that draw samples and read their items."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.http import HttpRequest, StreamingHttpResponse
from django.utils import timezone
from ninja import Field, Router, Schema

from backend.jobs.api import JobOut
from backend.jobs.models import Job
from backend.jobs.services import enqueue_job
from backend.samples import services
from backend.samples.exports import json_lines
from backend.samples.job_handlers import DRAW_SAMPLE
from backend.samples.models import Item, Sample
from backend.samples.requests import DrawRequest
from backend.samples.selectors import item_of, sample_of
from backend.studies.access import study_for, user_of
from backend.studies.models import StudyRole

router = Router()


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
def list_samples(request: HttpRequest, slug: str) -> list[Sample]:
    study = study_for(user_of(request), slug, StudyRole.RESEARCHER)
    return list(study.samples.select_related("corpus"))


@router.post("samples/preview", response=PreviewOut)
def preview_sample(request: HttpRequest, slug: str, body: DrawRequest) -> dict[str, Any]:
    """What the same request would draw, without drawing it."""
    study = study_for(user_of(request), slug, StudyRole.RESEARCHER)
    drawn = services.preview_sample(
        corpus=body.corpus_in(study),
        design=body.design(),
        seed=body.seed,
        disjoint_from=body.samples_to_avoid(study),
    )
    communities = [asdict(row) for row in drawn.summary]
    return {"frame_hash": drawn.frame_hash, "n_items": len(drawn.items), "communities": communities}


@router.post("samples", response={202: JobOut})
def draw_sample(request: HttpRequest, slug: str, body: DrawRequest) -> tuple[int, Job]:
    """Starts a job; its result names the sample."""
    study = study_for(user_of(request), slug, StudyRole.RESEARCHER)
    body.corpus_in(study)
    body.design()
    body.samples_to_avoid(study)
    services.refuse_taken_name(study, body.name)
    return 202, enqueue_job(
        kind=DRAW_SAMPLE,
        arguments={"request": body.model_dump(), "actor": user_of(request).pk},
        study=study,
        created_by=user_of(request),
        now=timezone.now(),
    )


@router.get("samples/{int:sample_id}", response=SampleOut)
def read_sample(request: HttpRequest, slug: str, sample_id: int) -> Sample:
    return sample_of(study_for(user_of(request), slug, StudyRole.RESEARCHER), sample_id)


@router.get("samples/{int:sample_id}/items")
def read_items(request: HttpRequest, slug: str, sample_id: int, text: bool = False) -> StreamingHttpResponse:
    """JSON Lines, one item a line with its probabilities; texts only when asked for (`text=true`)."""
    sample = sample_of(study_for(user_of(request), slug, StudyRole.RESEARCHER), sample_id)
    return StreamingHttpResponse(json_lines(sample, with_text=text), content_type="application/jsonl")


@router.get("items/{item_id}", response=ItemOut)
def read_item(request: HttpRequest, slug: str, item_id: str) -> Item:
    return item_of(study_for(user_of(request), slug, StudyRole.RESEARCHER), item_id)
