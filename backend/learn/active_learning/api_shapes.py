"""What calls about active learning take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec
from ninja import Field, Schema

from backend.learn.active_learning.choosing import ChoicePlan
from backend.learn.active_learning.models import Choice, SavingsReading
from backend.learn.active_learning.queue import N_NEXT, WORTHWHILE
from backend.learn.active_learning.requests import ChoiceRequest
from backend.learn.active_learning.selectors import PoolState
from backend.learn.active_learning.words import reading_lines
from learning.learning_curves.meter import MeterReading


class PoolOut(Schema):
    left: dict[str, int] = Field(description="By sample.")
    adapter: int | None = Field(description="Number of the adapter in service.")
    predicted: int

    @classmethod
    def of(cls, state: PoolState) -> PoolOut:
        number = state.adapter.number if state.adapter else None
        return cls(left=dict(state.samples), adapter=number, predicted=state.n_predicted)


class ChoiceIn(ChoiceRequest):
    plan_hash: str = Field(
        default="", max_length=64, description="From the preview; another plan is not opened."
    )


class ChosenItemOut(Schema):
    item: str
    stream: str
    rank: int
    score: float
    inclusion_probability: float
    cost: float


class ActivePreviewOut(Schema):
    plan_hash: str
    n_pool: int
    n_random: int
    n_strategy: int
    minutes: float
    lowest_probability: float
    shares: dict[str, int]
    items: list[ChosenItemOut]

    @classmethod
    def of(cls, plan: ChoicePlan) -> ActivePreviewOut:
        return cls(
            plan_hash=plan.batch.hash,
            n_pool=len(plan.candidates.items),
            n_random=plan.n_random,
            n_strategy=plan.n_strategy,
            minutes=plan.minutes,
            lowest_probability=plan.lowest_probability,
            shares={share.annotator.username: len(share.items) for share in plan.batch.shares},
            items=[
                ChosenItemOut(
                    item=chosen.item_id,
                    stream=chosen.stream.value,
                    rank=rank,
                    score=chosen.score,
                    inclusion_probability=chosen.inclusion_probability,
                    cost=plan.costs[chosen.item_id],
                )
                for rank, chosen in enumerate(plan.draw.chosen, start=1)
            ],
        )


class ChoiceOut(Schema):
    batch: int
    name: str
    strategy: str
    random_share: float
    per_cost: bool
    adapters: list[str]
    samples: list[str]
    n_pool: int
    seed: int
    items: list[ChosenItemOut] | None = Field(description="Only where one batch is asked for.")

    @classmethod
    def of(cls, choice: Choice, *, with_items: bool = False) -> ChoiceOut:
        return cls(
            batch=choice.batch_id,
            name=choice.batch.name,
            strategy=choice.strategy,
            random_share=choice.random_share,
            per_cost=choice.per_cost,
            adapters=choice.adapters,
            samples=choice.samples,
            n_pool=choice.n_pool,
            seed=choice.seed,
            items=_items(choice) if with_items else None,
        )


def _items(choice: Choice) -> list[ChosenItemOut]:
    return [
        ChosenItemOut(
            item=row.item.item_id,
            stream=row.stream,
            rank=row.rank,
            score=row.score,
            inclusion_probability=row.inclusion_probability,
            cost=row.cost,
        )
        for row in choice.items.select_related("item")
    ]


class MeterIn(Schema):
    n_next: int = Field(default=N_NEXT, ge=1, le=1_000_000, description="Advice on so many labels more.")
    worthwhile: float = Field(default=WORTHWHILE, gt=0, lt=1, description="What they must add at least.")


class ReadingOut(Schema):
    measured_at: datetime
    words: list[str]
    reading: dict[str, Any] = Field(description="Every number, as the ML backend wrote it.")

    @classmethod
    def of(cls, row: SavingsReading, reading: MeterReading) -> ReadingOut:
        return cls(
            measured_at=row.measured_at,
            words=reading_lines(reading),
            reading=msgspec.json.decode(row.content),
        )
