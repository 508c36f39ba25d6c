"""What a person, a notebook or the terminal asks for; one shape for forms, calls and commands."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from ninja import Field, Schema

Seed = Annotated[int, Field(ge=0, le=2**31 - 1)]


class LabelRequest(Schema):
    """Which model reads which texts."""

    corpus: str = Field(description="Short name of the corpus.")
    adapter: int | None = Field(default=None, ge=1, description="Number; without one, that in service.")
    sample: int | None = Field(default=None, description="Of a sample of the corpus: only what was drawn.")
    communities: list[str] = Field(default_factory=list, description="Only these; empty: all of them.")
    n_posts: int | None = Field(
        default=None, ge=1, description="So many posts at random, each with all its replies; else every one."
    )
    seed: Seed = Field(default=1, description="Of that draw, and of the order of the shards.")
    price_per_hour: Decimal | None = Field(
        default=None, ge=0, max_digits=10, decimal_places=4, description="What one machine costs an hour."
    )


class LabelJob(Schema):
    """What the job row of a run holds."""

    run: int
