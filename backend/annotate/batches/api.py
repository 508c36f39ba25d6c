"""Calls about batches."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router, Status

from backend.annotate.batches import services
from backend.annotate.batches.api_shapes import (
    BatchOut,
    DueDateIn,
    HandOverIn,
    NameIn,
    OpenIn,
    PlanOut,
    RestoreIn,
    WithdrawIn,
)
from backend.annotate.batches.errors import NotInBatch
from backend.annotate.batches.models import Batch
from backend.annotate.batches.planning import people_named, plan_batch
from backend.annotate.batches.progress import batch_progress, study_progress
from backend.annotate.batches.requests import BatchRequest
from backend.annotate.batches.selectors import batch_of
from backend.core.accounts.access import user_of
from backend.core.accounts.models import User
from backend.core.studies.access import RESEARCHER, study_of

router = Router(auth=RESEARCHER)


@router.get("", response=list[BatchOut])
def list_batches(request: HttpRequest) -> list[BatchOut]:
    """Newest first, each with its progress."""
    return [BatchOut.of(row) for row in study_progress(study_of(request), today=timezone.localdate())]


@router.post("plan", response=PlanOut)
def preview_batch(request: HttpRequest, body: BatchRequest) -> PlanOut:
    """Who would get what, without opening anything."""
    study, now = study_of(request), timezone.now()
    services.refuse_opening(study=study, request=body, now=now)
    return PlanOut.of(plan_batch(study=study, request=body, now=now))


@router.post("", response={201: BatchOut})
def open_batch(request: HttpRequest, body: OpenIn) -> Status[BatchOut]:
    batch = services.open_batch(
        study=study_of(request),
        request=body,
        actor=user_of(request),
        now=timezone.now(),
        seen=body.plan,
    )
    return Status(201, _as_it_stands(batch))


@router.get("{int:batch_id}", response=BatchOut)
def read_batch(request: HttpRequest, batch_id: int) -> BatchOut:
    return _as_it_stands(batch_of(study_of(request), batch_id))


@router.post("{int:batch_id}/pause", response=BatchOut)
def pause_batch(request: HttpRequest, batch_id: int) -> BatchOut:
    return _change(request, batch_id, services.pause_batch)


@router.post("{int:batch_id}/resume", response=BatchOut)
def resume_batch(request: HttpRequest, batch_id: int) -> BatchOut:
    return _change(request, batch_id, services.resume_batch)


@router.post("{int:batch_id}/close", response=BatchOut)
def close_batch(request: HttpRequest, batch_id: int) -> BatchOut:
    return _change(request, batch_id, services.close_batch)


@router.post("{int:batch_id}/reopen", response=BatchOut)
def reopen_batch(request: HttpRequest, batch_id: int) -> BatchOut:
    return _change(request, batch_id, services.reopen_batch)


@router.post("{int:batch_id}/discard", response=BatchOut)
def discard_batch(request: HttpRequest, batch_id: int) -> BatchOut:
    """Undoes an opening while nobody has worked on the batch; a worker removes it, from Label Studio too."""
    return _change(request, batch_id, services.discard_batch)


@router.post("{int:batch_id}/keep", response=BatchOut)
def keep_batch(request: HttpRequest, batch_id: int) -> BatchOut:
    """Calls a discarding off."""
    return _change(request, batch_id, services.keep_batch)


@router.put("{int:batch_id}/name", response=BatchOut)
def rename_batch(request: HttpRequest, batch_id: int, body: NameIn) -> BatchOut:
    batch = batch_of(study_of(request), batch_id)
    renamed = services.rename_batch(batch=batch, name=body.name, actor=user_of(request), now=timezone.now())
    return _as_it_stands(renamed)


@router.put("{int:batch_id}/due-date", response=BatchOut)
def change_due_date(request: HttpRequest, batch_id: int, body: DueDateIn) -> BatchOut:
    batch = batch_of(study_of(request), batch_id)
    changed = services.change_due_date(
        batch=batch, due_on=body.due_on, actor=user_of(request), now=timezone.now()
    )
    return _as_it_stands(changed)


@router.post("{int:batch_id}/reassign", response=BatchOut)
def reassign_items(request: HttpRequest, batch_id: int, body: HandOverIn) -> BatchOut:
    """Unfinished items go to others; what was answered stays."""
    batch = batch_of(study_of(request), batch_id)
    services.reassign_items(
        batch=batch,
        annotator=_in_batch(batch, body.annotator),
        to=_annotators(batch, body.to),
        n=body.n,
        actor=user_of(request),
        now=timezone.now(),
    )
    return _as_it_stands(batch)


@router.post("{int:batch_id}/withdraw", response=BatchOut)
def withdraw_annotator(request: HttpRequest, batch_id: int, body: WithdrawIn) -> BatchOut:
    batch = batch_of(study_of(request), batch_id)
    services.withdraw_annotator(
        batch=batch,
        annotator=_in_batch(batch, body.annotator),
        hand_over_to=_annotators(batch, body.hand_over_to),
        actor=user_of(request),
        now=timezone.now(),
    )
    return _as_it_stands(batch)


@router.post("{int:batch_id}/restore", response=BatchOut)
def restore_annotator(request: HttpRequest, batch_id: int, body: RestoreIn) -> BatchOut:
    """Undoes a withdrawal."""
    batch = batch_of(study_of(request), batch_id)
    services.restore_annotator(
        batch=batch,
        annotator=_in_batch(batch, body.annotator),
        actor=user_of(request),
        now=timezone.now(),
    )
    return _as_it_stands(batch)


class _Change(Protocol):
    def __call__(self, *, batch: Batch, actor: User, now: datetime) -> Batch: ...


def _change(request: HttpRequest, batch_id: int, change: _Change) -> BatchOut:
    batch = batch_of(study_of(request), batch_id)
    return _as_it_stands(change(batch=batch, actor=user_of(request), now=timezone.now()))


def _as_it_stands(batch: Batch) -> BatchOut:
    return BatchOut.of(batch_progress(batch, today=timezone.localdate()))


def _in_batch(batch: Batch, username: str) -> User:
    """Also somebody who left the study: what they left undone can still be handed over."""
    found = User.objects.filter(assignments__batch=batch, username=username).first()
    if found is None:
        raise NotInBatch(username)
    return found


def _annotators(batch: Batch, usernames: Sequence[str]) -> list[User]:
    return people_named(batch.study, usernames)
