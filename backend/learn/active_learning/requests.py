"""What a person or a notebook asks for when a batch is to be chosen; one shape for forms, calls and commands."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from ninja import Field, Schema

from backend.annotate.batches.requests import BatchRequest, Name
from learning.query_strategies.names import StrategyName

RANDOM_SHARE = 0.2


class PoolRequest(Schema):
    """What has to be known of which items."""

    strategy: StrategyName
    samples: list[str] = Field(description="Names of the samples whose items are chosen from.")


class ChoiceRequest(PoolRequest):
    """Everything that decides which items are chosen, and who gets them."""

    name: Name = Field(description="Annotators see it: it should not tell what the batch is for.")
    n: int = Field(ge=1, le=10_000, description="How many items in all.")
    random_share: float = Field(
        default=RANDOM_SHARE,
        gt=0,
        le=1,
        description="Share of items drawn at random, never 0: only these show how the rest of the pool is.",
    )
    per_cost: bool = Field(
        default=False, description="Whether scores count for each expected minute of work."
    )
    annotators: list[str] = Field(description="Log-in names; each gets a share of the items.")
    seed: int = Field(ge=0, le=2**63 - 1, description="The same pool and seed choose the same items.")
    due_on: date | None = None

    def batch_request(self, items: Sequence[str]) -> BatchRequest:
        return BatchRequest(
            name=self.name,
            kind="active",
            annotators=self.annotators,
            items=list(items),
            seed=self.seed,
            due_on=self.due_on,
        )
