"""What a person, a notebook or the schedule asks for when training; one shape for forms, calls, commands and rows."""

from __future__ import annotations

from typing import Annotated, Any

from ninja import Field, Schema
from pydantic import StringConstraints

Name = Annotated[str, StringConstraints(strip_whitespace=True, max_length=120)]


class TrainRequest(Schema):
    """What to learn from, and how."""

    release: int = Field(ge=1, description="Number of the release; it must hold texts.")
    learner: str = Field(default="encoder-lora", max_length=60)
    options: dict[str, Any] = Field(
        default_factory=dict, description="Options of the learner; what is not given keeps its default."
    )
    seed: int = Field(default=1, ge=0, le=2**31 - 1)
    name: Name = Field(default="", description="Of the adapter; made of learner and release if empty.")
    parent: int | None = Field(default=None, ge=1, description="Number of an adapter to begin from.")


class GateJob(Schema):
    """What the job row of an examination holds."""

    adapter: int
    actor: int | None


class TrainJob(Schema):
    """What a training's job row holds; no actor if the schedule asked for it."""

    request: TrainRequest
    actor: int | None
