"""Calls about transfer studies: start, follow, stop, resume, and read what they found."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Router, Schema, Status

from backend.core.accounts.access import user_of
from backend.core.studies.access import RESEARCHER, study_of
from backend.learn.transfer.models import TransferRun
from backend.learn.transfer.page import CONTENT_TYPES, file_names, file_of
from backend.learn.transfer.requests import TransferIn
from backend.learn.transfer.selectors import run_numbered, runs_of
from backend.learn.transfer.services import resume_transfer, start_transfer, stop_transfer
from learning.transfer.study import TransferStudy

router = Router(auth=RESEARCHER)


class TransferOut(Schema):
    """`done` of `total` models are trained; `job` is the one that works on it, or did last."""

    number: int
    name: str
    state: str
    tasks: list[str]
    seeds: list[int]
    job: int | None
    done: int
    total: int | None
    note: str
    error: str
    created_at: datetime
    finished_at: datetime | None

    @classmethod
    def of(cls, run: TransferRun) -> TransferOut:
        return cls(**_fields(run, run.read_request()))


class WholeTransferOut(TransferOut):
    """`results` is null until it is done; `files` names what can be downloaded then."""

    results: dict[str, Any] | None
    files: list[str]

    @classmethod
    def whole(cls, run: TransferRun) -> WholeTransferOut:
        results = run.read_results()
        return cls(
            **_fields(run, run.read_request()),
            results=msgspec.json.decode(run.results) if results else None,
            files=file_names(run, results) if results else [],
        )


def _fields(run: TransferRun, asked: TransferStudy) -> dict[str, Any]:
    job = run.job
    return {
        "number": run.number,
        "name": run.name,
        "state": run.state,
        "tasks": [task.name for task in asked.tasks],
        "seeds": list(asked.every_seed),
        "job": job.pk if job else None,
        "done": job.progress_done if job else 0,
        "total": job.progress_total if job else None,
        "note": job.progress_note if job and run.is_under_way else "",
        "error": job.error if job and run.state == "failed" else "",
        "created_at": run.created_at,
        "finished_at": run.finished_at,
    }


@router.get("", response=list[TransferOut])
def list_transfer_studies(request: HttpRequest) -> list[TransferOut]:
    """Newest first."""
    return [TransferOut.of(run) for run in runs_of(study_of(request))]


@router.post("", response={202: TransferOut})
def start_transfer_study(request: HttpRequest, body: TransferIn) -> Status[TransferOut]:
    """Tasks are codes of releases with texts, of this study and of others that the caller does research in."""
    run = start_transfer(study=study_of(request), asked=body, actor=user_of(request), now=timezone.now())
    return Status(202, TransferOut.of(run))


@router.get("{int:number}", response=WholeTransferOut)
def read_transfer_study(request: HttpRequest, number: int) -> WholeTransferOut:
    return WholeTransferOut.whole(run_numbered(study_of(request), number))


@router.post("{int:number}/stop", response=TransferOut)
def stop_transfer_study(request: HttpRequest, number: int) -> TransferOut:
    """What is trained stays."""
    run = run_numbered(study_of(request), number)
    return TransferOut.of(stop_transfer(run=run, actor=user_of(request), now=timezone.now()))


@router.post("{int:number}/resume", response={202: TransferOut})
def resume_transfer_study(request: HttpRequest, number: int) -> Status[TransferOut]:
    """Goes on from the models that are trained."""
    run = run_numbered(study_of(request), number)
    return Status(202, TransferOut.of(resume_transfer(run=run, actor=user_of(request), now=timezone.now())))


@router.get("{int:number}/files/{name}")
def read_transfer_file(request: HttpRequest, number: int, name: str) -> HttpResponse:
    content = file_of(run_numbered(study_of(request), number), name)
    if content is None:
        raise Http404("This transfer study has no such file, or is not done yet.")
    return HttpResponse(content, content_type=CONTENT_TYPES[name.rpartition(".")[2]])
