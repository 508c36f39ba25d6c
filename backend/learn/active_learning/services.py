"""What opens chosen batches and keeps where models see items and what the meter showed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from backend.annotate.batches.models import Batch
from backend.annotate.batches.services import open_batch
from backend.annotate.batches.services.opening import one_opening_at_a_time
from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.core.studies.services import record_event
from backend.design.samples.models import Item
from backend.learn.active_learning.choosing import ChoicePlan, plan_choice
from backend.learn.active_learning.errors import LookTaken
from backend.learn.active_learning.models import Choice, ChosenItem, PoolEmbedding, SavingsReading
from backend.learn.active_learning.requests import ChoiceRequest
from backend.learn.active_learning.selectors import next_meter_look
from backend.learn.models.models import Adapter
from learning.learning_curves.meter import MeterLook, decode_reading


@transaction.atomic
def open_chosen_batch(
    *, study: Study, request: ChoiceRequest, actor: User, now: datetime, seen: str | None = None
) -> Batch:
    """`seen` is the hash of the plan that somebody agreed to: another plan is not opened in its place."""
    one_opening_at_a_time(study)
    plan = plan_choice(study=study, request=request, now=now)
    asked = request.batch_request(sorted(item.item_id for item in plan.draw.chosen))
    batch = open_batch(study=study, request=asked, actor=actor, now=now, seen=seen)
    _keep_choice(batch, plan)
    return batch


def _keep_choice(batch: Batch, plan: ChoicePlan) -> None:
    choice = Choice.objects.create(
        batch=batch,
        strategy=plan.request.strategy.value,
        random_share=plan.request.random_share,
        per_cost=plan.request.per_cost,
        adapters=[adapter.adapter_id for adapter in plan.candidates.adapters],
        samples=plan.request.samples,
        n_pool=len(plan.candidates.items),
        seed=plan.request.seed,
    )
    rows = {item.item_id: item.pk for item in plan.candidates.items}
    ChosenItem.objects.bulk_create(
        (
            ChosenItem(
                choice=choice,
                item_id=rows[chosen.item_id],
                stream=chosen.stream.value,
                rank=rank,
                score=chosen.score,
                inclusion_probability=chosen.inclusion_probability,
                cost=plan.costs[chosen.item_id],
            )
            for rank, chosen in enumerate(plan.draw.chosen, start=1)
        ),
        batch_size=500,
    )


def keep_embeddings(*, adapter: Adapter, items: Sequence[Item], embeddings: Sequence[bytes]) -> None:
    rows = [
        PoolEmbedding(adapter=adapter, item=item, embedding=embedding)
        for item, embedding in zip(items, embeddings, strict=True)
    ]
    PoolEmbedding.objects.bulk_create(rows, batch_size=500, ignore_conflicts=True)


def keep_reading(
    *, study: Study, inputs_hash: str, content: str, look: MeterLook, actor: User | None, now: datetime
) -> SavingsReading:
    """The reading on these labels, which is kept once however often it was measured.

    Raises LookTaken if another reading spent the look meanwhile by which this one was measured.
    """
    Study.objects.select_for_update().get(pk=study.pk)
    known = study.savings_readings.filter(inputs_hash=inputs_hash).first()
    if known is not None:
        return known
    spends = decode_reading(content).claims_something
    if spends and next_meter_look(study, look.n_items) != look:
        raise LookTaken
    record_event(study=study, actor=actor, summary="Read the savings meter of active learning", now=now)
    return SavingsReading.objects.create(
        study=study,
        inputs_hash=inputs_hash,
        content=content,
        series=look.series if spends else None,
        look=look.number if spends else None,
        n_items=look.n_items,
        requested_by=actor,
        measured_at=now,
    )
