"""Opens a batch: what the plan shows becomes rows, all of them or none."""

from __future__ import annotations

from datetime import date, datetime

from django.db import transaction
from django.utils import timezone

from backend.annotate.batches.errors import DueDatePast, NameTaken, PlanChanged
from backend.annotate.batches.models import AssignedItem, Assignment, Batch
from backend.annotate.batches.planning import plan_batch
from backend.annotate.batches.plans import BatchPlan, Share
from backend.annotate.batches.queue import enqueue_preparation
from backend.annotate.batches.requests import BatchRequest
from backend.annotate.hooks import batch_opened
from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.core.studies.services import record_event


@transaction.atomic
def open_batch(
    *, study: Study, request: BatchRequest, actor: User, now: datetime, seen: str | None = None
) -> Batch:
    """`seen` is the hash of the plan that somebody agreed to: another plan is not opened in its place."""
    one_opening_at_a_time(study)
    refuse_opening(study=study, request=request, now=now)
    plan = plan_batch(study=study, request=request, now=now)
    if seen is not None and seen != plan.hash:
        raise PlanChanged(plan)
    batch = Batch.objects.create(
        study=study,
        name=request.name,
        kind=plan.kind,
        edition=plan.edition,
        seed=request.seed,
        request=request.as_asked(),
        plan_hash=plan.hash,
        due_on=request.due_on,
        opened_by=actor,
        opened_at=now,
    )
    _store_shares(batch, plan, now)
    batch_opened(batch, now)
    record_event(study=study, actor=actor, summary=_summary(batch, plan), now=now)
    enqueue_preparation(batch=batch, actor=actor, now=now)
    return batch


def one_opening_at_a_time(study: Study) -> None:
    """Two plans made at once from the same items would give them out twice; a name would be taken twice."""
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)


def refuse_opening(*, study: Study, request: BatchRequest, now: datetime) -> None:
    """What is wrong whoever gets what."""
    refuse_taken_name(study, request.name)
    refuse_past_day(request.due_on, now)


def refuse_taken_name(study: Study, name: str) -> None:
    if study.batches.filter(name=name).exists():
        raise NameTaken(name)


def refuse_past_day(due_on: date | None, now: datetime) -> None:
    if due_on is not None and due_on < timezone.localdate(now):
        raise DueDatePast(due_on)


def _store_shares(batch: Batch, plan: BatchPlan, now: datetime) -> None:
    rows = dict(batch.study.items.filter(item_id__in=plan.items).values_list("item_id", "pk"))
    for share in plan.shares:
        assignment = Assignment.objects.create(batch=batch, annotator=share.annotator, assigned_at=now)
        AssignedItem.objects.bulk_create(_assigned_items(assignment, share, rows), batch_size=2000)


def _assigned_items(assignment: Assignment, share: Share, rows: dict[str, int]) -> list[AssignedItem]:
    return [
        AssignedItem(assignment=assignment, item_id=rows[item], position=position)
        for position, item in enumerate(share.items)
    ]


def _summary(batch: Batch, plan: BatchPlan) -> str:
    people = len(plan.shares)
    return (
        f"Opened the {batch.get_kind_display().lower()} batch “{batch.name}”: {len(plan.items)} items "
        f"to {people} annotator{'s' if people > 1 else ''}"
    )
