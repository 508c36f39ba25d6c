"""Calls about active learning: the pool, choosing a batch, and the savings meter."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from django.utils import timezone
from ninja import Router, Status

from backend.core.accounts.access import user_of
from backend.core.jobs.api import JobOut
from backend.core.jobs.models import Job
from backend.core.studies.access import RESEARCHER, study_of
from backend.core.web.addresses import page
from backend.learn.active_learning.api_shapes import (
    ActivePreviewOut,
    ChoiceIn,
    ChoiceOut,
    MeterIn,
    PoolOut,
    ReadingOut,
)
from backend.learn.active_learning.choosing import plan_choice
from backend.learn.active_learning.queue import request_prediction, request_reading
from backend.learn.active_learning.requests import ChoiceRequest, PoolRequest
from backend.learn.active_learning.selectors import choices_of, latest_reading, pool_state
from backend.learn.active_learning.services import open_chosen_batch

router = Router(auth=RESEARCHER)


@router.get("pool", response=PoolOut)
def read_pool(request: HttpRequest) -> PoolOut:
    """How many items are left in each sample, and what the model in service knows of them."""
    return PoolOut.of(pool_state(study_of(request)))


@router.post("pool/predict", response={202: JobOut})
def predict_pool(request: HttpRequest, asked: PoolRequest) -> Status[Job]:
    """Items that were predicted by the same adapter before are not predicted again."""
    job = request_prediction(
        study=study_of(request), request=asked, actor=user_of(request), now=timezone.now()
    )
    return Status(202, job)


@router.post("preview", response=ActivePreviewOut)
def preview(request: HttpRequest, asked: ChoiceRequest) -> ActivePreviewOut:
    """What would be chosen and who would get it; nothing is stored."""
    return ActivePreviewOut.of(plan_choice(study=study_of(request), request=asked, now=timezone.now()))


@router.get("batches", response=list[ChoiceOut])
def list_choices(request: HttpRequest, limit: int = 50, offset: int = 0) -> list[ChoiceOut]:
    """Newest first."""
    return [ChoiceOut.of(choice) for choice in choices_of(study_of(request))[page(limit, offset)]]


@router.get("batches/{int:batch_id}", response=ChoiceOut)
def read_choice(request: HttpRequest, batch_id: int) -> ChoiceOut:
    """With every item: its stream, score, cost and inclusion probability."""
    choice = choices_of(study_of(request)).filter(batch=batch_id).first()
    if choice is None:
        raise Http404("This study has no chosen batch of this number.")
    return ChoiceOut.of(choice, with_items=True)


@router.post("batches", response={201: ChoiceOut})
def choose_batch(request: HttpRequest, asked: ChoiceIn) -> Status[ChoiceOut]:
    """With `plan_hash` only if it is still that plan."""
    study = study_of(request)
    batch = open_chosen_batch(
        study=study,
        request=asked,
        actor=user_of(request),
        now=timezone.now(),
        seen=asked.plan_hash or None,
    )
    return Status(201, ChoiceOut.of(choices_of(study).get(batch=batch), with_items=True))


@router.get("meter", response=ReadingOut)
def read_meter(request: HttpRequest) -> ReadingOut:
    """The newest reading of the savings meter, with the stopping advice."""
    found = latest_reading(study_of(request))
    if found is None:
        raise Http404("The meter was not read yet.")
    return ReadingOut.of(*found)


@router.post("meter", response={202: JobOut})
def measure(request: HttpRequest, asked: MeterIn) -> Status[Job]:
    job = request_reading(
        study=study_of(request),
        actor=user_of(request),
        now=timezone.now(),
        n_next=asked.n_next,
        worthwhile=asked.worthwhile,
    )
    return Status(202, job)
