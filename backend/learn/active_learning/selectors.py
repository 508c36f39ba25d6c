"""What pages and calls read about active learning."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from backend.annotate.batches.candidates import fresh_counts
from backend.annotate.batches.models import Batch
from backend.core.studies.models import Study
from backend.decide.hooks import ChosenDraw
from backend.learn.active_learning.models import Choice, ChosenItem, SavingsReading
from backend.learn.active_learning.pool import pool_items
from backend.learn.active_learning.words import AIM_WORDS
from backend.learn.models.models import Adapter
from backend.learn.models.selectors import adapter_in_service
from backend.learn.prelabels.models import KeptPrediction
from learning.learning_curves.meter import (
    MeterLook,
    MeterReading,
    ReadingUnreadable,
    decode_reading,
    next_look,
)
from learning.query_strategies.names import StrategyName, Stream


@dataclass(frozen=True, slots=True)
class PoolState:
    """How many items are left in each sample, and how many of all the adapter in service has predicted."""

    samples: tuple[tuple[str, int], ...]
    adapter: Adapter | None
    n_predicted: int

    @property
    def n_left(self) -> int:
        return sum(n for _, n in self.samples)


def aim_of_batch(batch: Batch) -> dict[str, object]:
    """What the batch is for, if its items were chosen, for its page."""
    choice = Choice.objects.filter(batch=batch).first()
    return {} if choice is None else {"aim": AIM_WORDS[StrategyName(choice.strategy).aim]}


def pool_state(study: Study) -> PoolState:
    adapter = adapter_in_service(study)
    counts = fresh_counts(study)
    predicted = 0
    if adapter is not None and any(counts.values()):
        items = pool_items(study, list(counts))
        predicted = KeptPrediction.objects.filter(adapter=adapter, item__in=items.values("pk")).count()
    return PoolState(tuple(counts.items()), adapter, predicted)


def choices_of(study: Study) -> QuerySet[Choice]:
    """Newest first, with how many items each stream brought."""
    return (
        Choice.objects.filter(batch__study=study)
        .select_related("batch")
        .annotate(
            n_random=Count("items", filter=Q(items__stream=Stream.RANDOM)),
            n_strategy=Count("items", filter=Q(items__stream=Stream.STRATEGY)),
        )
        .order_by("-batch__opened_at", "-pk")
    )


def latest_reading(study: Study) -> tuple[SavingsReading, MeterReading] | None:
    """None also where an earlier version of Attune wrote it in a form that is no longer read."""
    row = study.savings_readings.select_related("requested_by").first()
    if row is None:
        return None
    try:
        return row, decode_reading(row.content)
    except ReadingUnreadable:
        return None


def next_meter_look(study: Study, n_items: int) -> MeterLook:
    """What the next reading spends."""
    rows = study.savings_readings.values_list("series", "look", "n_items")
    return next_look([MeterLook(series, look, n) for series, look, n in rows if series and look], n_items)


def chosen_draws(items: Collection[int]) -> dict[int, list[ChosenDraw]]:
    """By item's row: how it came into each active batch that it was chosen for."""
    found: dict[int, list[ChosenDraw]] = {}
    for each in ChosenItem.objects.filter(item__in=items).select_related("choice__batch"):
        batch = each.choice.batch
        draw = ChosenDraw(batch.pk, batch.name, each.stream, each.inclusion_probability)
        found.setdefault(each.item_id, []).append(draw)
    return found
