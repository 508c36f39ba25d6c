"""What a person or a notebook asks for when opening a batch; one shape for forms, calls and commands."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from ninja import Field, Schema
from pydantic import StringConstraints

from annotation.adaptive_overlap import OverlapPolicy

Kind = Literal["practice", "overlap", "adaptive", "main", "recheck", "active"]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120)]


class BatchRequest(Schema):
    """Everything that decides who gets which items."""

    name: Name = Field(description="Annotators see it: it should not tell what the batch is for.")
    kind: Kind
    annotators: list[str] = Field(description="Log-in names.")
    n: int | None = Field(
        default=None,
        ge=1,
        le=1_000_000,
        description="Practice and overlap: items for all. Adaptive: items in all. Main and recheck: items for "
        "each annotator. None means all there are, except for a recheck.",
    )
    samples: list[str] = Field(
        default_factory=list, description="Overlap, adaptive and main: names of samples to take from."
    )
    items: list[str] = Field(
        default_factory=list, max_length=10_000, description="Active: the items, dealt in disjoint shares."
    )
    submitted_days_ago: int = Field(
        default=0, ge=0, le=10_000, description="Recheck: only items submitted at least so many days ago."
    )
    start_with: int = Field(
        default=2,
        ge=1,
        le=2,
        description="Adaptive: annotators that each item starts with. With 1, a tenth of the items has 2.",
    )
    at_most: int = Field(
        default=3, ge=2, le=20, description="Adaptive: annotators an item has at most; all of them if fewer."
    )
    sure_at: float = Field(
        default=0.9,
        gt=0.5,
        lt=1,
        description="Adaptive: nobody else is asked once the likeliest answer to each theme is so probable.",
    )
    budget: int | None = Field(
        default=None, ge=1, description="Adaptive: answers in all, the first ones too. None means no limit."
    )
    seed: int = Field(ge=0, le=2**63 - 1, description="The same seed deals the same way.")
    due_on: date | None = None

    @property
    def overlap_policy(self) -> OverlapPolicy:
        return OverlapPolicy(self.start_with, self.at_most, self.sure_at, self.budget)

    def as_asked(self) -> dict[str, object]:
        """For the batch's own record; a call adds fields that decide nothing about who gets what."""
        return self.model_dump(mode="json", include=set(BatchRequest.model_fields))
