"""Calls that have a corpus labelled, follow it, and stop or resume it."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

from django.http import HttpRequest, StreamingHttpResponse
from django.utils import timezone
from ninja import Router, Schema, Status

from backend.core.accounts.access import user_of
from backend.core.studies.access import RESEARCHER, study_of
from backend.core.web.formats import within_data
from backend.publish.labelling import services
from backend.publish.labelling.exports import csv_pieces, parquet_pieces
from backend.publish.labelling.models import LabellingRun, LabellingState
from backend.publish.labelling.progress import progress_of
from backend.publish.labelling.requests import LabelRequest
from backend.publish.labelling.selectors import finished_run_numbered, labelling_runs, run_numbered

router = Router(auth=RESEARCHER)


class LabellingRunOut(Schema):
    """`state` is how it stands; times in seconds, costs in the currency of the price that was given."""

    number: int
    state: LabellingState
    adapter: int
    adapter_id: str
    edition: int
    corpus: str
    scope: dict[str, Any]
    seed: int
    n_posts: int
    n_replies: int
    n_shards: int
    n_labelled: int
    texts_a_second: float | None
    seconds_left: float | None
    n_workers: int
    machine_seconds: float
    price_per_hour: Decimal | None
    cost_so_far: float | None
    cost_per_thousand: float | None
    folder: str
    output_hash: str
    error: str
    job: int | None
    created_at: datetime
    finished_at: datetime | None

    @classmethod
    def of(cls, run: LabellingRun) -> LabellingRunOut:
        progress = progress_of(run, now=timezone.now())
        left = progress.time_left
        return cls(
            number=run.number,
            state=progress.state,
            adapter=run.adapter.number,
            adapter_id=run.adapter.adapter_id,
            edition=run.edition.number,
            corpus=run.corpus.slug,
            scope=run.scope,
            seed=run.seed,
            n_posts=run.n_posts,
            n_replies=run.n_replies,
            n_shards=run.n_shards,
            n_labelled=run.n_labelled,
            texts_a_second=progress.rate,
            seconds_left=left.total_seconds() if left is not None else None,
            n_workers=progress.n_workers,
            machine_seconds=run.seconds_worked,
            price_per_hour=run.price_per_hour,
            cost_so_far=progress.cost_so_far,
            cost_per_thousand=progress.cost_per_thousand,
            folder=within_data(run.folder),
            output_hash=run.output_hash,
            error=progress.error,
            job=run.job_id,
            created_at=run.created_at,
            finished_at=run.finished_at,
        )


@router.get("", response=list[LabellingRunOut])
def list_runs(request: HttpRequest) -> list[LabellingRunOut]:
    """Newest first."""
    return [LabellingRunOut.of(run) for run in labelling_runs(study_of(request))]


@router.post("", response={202: LabellingRunOut})
def start_run(request: HttpRequest, body: LabelRequest) -> Status[LabellingRunOut]:
    """Starts a run; follow it by its number."""
    run = services.start_run(
        study=study_of(request), request=body, actor=user_of(request), now=timezone.now()
    )
    return Status(202, LabellingRunOut.of(run))


@router.get("{int:number}", response=LabellingRunOut)
def read_run(request: HttpRequest, number: int) -> LabellingRunOut:
    return LabellingRunOut.of(run_numbered(study_of(request), number))


@router.get("{int:number}/labels.csv")
def read_labels_as_csv(request: HttpRequest, number: int) -> StreamingHttpResponse:
    """A row for each text and code, without any text."""
    run = finished_run_numbered(study_of(request), number)
    return StreamingHttpResponse(csv_pieces(run), content_type="text/csv")


@router.get("{int:number}/labels.zip")
def read_labels_as_parquet(request: HttpRequest, number: int) -> StreamingHttpResponse:
    """The run's Parquet files with their manifest."""
    run = finished_run_numbered(study_of(request), number)
    return StreamingHttpResponse(parquet_pieces(run), content_type="application/zip")


@router.post("{int:number}/pause", response=LabellingRunOut)
def pause_run(request: HttpRequest, number: int) -> LabellingRunOut:
    """What is labelled stays."""
    run = run_numbered(study_of(request), number)
    return LabellingRunOut.of(services.pause_run(run=run, actor=user_of(request), now=timezone.now()))


@router.post("{int:number}/resume", response=LabellingRunOut)
def resume_run(request: HttpRequest, number: int) -> LabellingRunOut:
    """Goes on from what is labelled, after a pause, a stop or a failure."""
    run = run_numbered(study_of(request), number)
    return LabellingRunOut.of(services.resume_run(run=run, actor=user_of(request), now=timezone.now()))


@router.post("{int:number}/cancel", response=LabellingRunOut)
def cancel_run(request: HttpRequest, number: int) -> LabellingRunOut:
    """The texts that were laid ready go; what is labelled stays."""
    run = run_numbered(study_of(request), number)
    return LabellingRunOut.of(services.cancel_run(run=run, actor=user_of(request), now=timezone.now()))
