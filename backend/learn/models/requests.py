"""What a person, a notebook or the schedule asks for when training; one shape for forms, calls, commands and rows."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from ninja import Field, Schema
from pydantic import StringConstraints

from annotation.release.rows import SplitPart
from backend.learn.models.errors import UnknownLearner, UnknownOption
from learning.learners import registry

Name = Annotated[str, StringConstraints(strip_whitespace=True, max_length=120)]
Rate = Annotated[float, Field(gt=0)]
Seed = Annotated[int, Field(ge=0, le=2**31 - 1)]


class TrainRequest(Schema):
    """What to learn from, and how."""

    release: int = Field(ge=1, description="Number of the release; it must hold texts.")
    learner: str = Field(default="encoder-lora", max_length=60)
    options: dict[str, Any] = Field(
        default_factory=dict,
        description="Options of the learner; what is not given keeps its default, or is as in the parent.",
    )
    seed: Seed = 1
    name: Name = Field(default="", description="Of the adapter; made of learner and release if empty.")
    parent: int | None = Field(
        default=None, ge=1, description="Number of an adapter of the same learner to begin from."
    )

    def refuse_unknown(self) -> None:
        """Names alone: whether a value is allowed, the learner itself says."""
        try:
            known = {"input", *(option.name for option in registry.learner_spec(self.learner).options)}
        except registry.UnknownLearner as problem:
            raise UnknownLearner(str(problem)) from problem
        for name in self.options:
            if name not in known:
                raise UnknownOption(self.learner, name, sorted(known))


class GridRequest(TrainRequest):
    """One training for each pair of a learning rate and a seed; without rates the learner's own is taken."""

    learning_rates: list[Rate] = Field(default_factory=list, max_length=12)
    seeds: list[Seed] = Field(default_factory=list, max_length=12)


class PostSource(StrEnum):
    """Where a probe's unrelated posts are from."""

    RELEASE = "release"
    CORPUS = "corpus"
    FILE = "file"


class ContextProbeRequest(Schema):
    """Which unrelated posts a probe puts replies under; without any, those of the release's other parts."""

    source: PostSource = PostSource.RELEASE
    name: str = Field(
        default="", max_length=200, description="Short name of the corpus, or name of the study's file."
    )


class TrainJob(Schema):
    """What a training's job row holds; no actor if the schedule asked for it, no grid if it is alone."""

    request: TrainRequest
    actor: int | None
    grid: int | None = None


class PromotionJob(Schema):
    """What the job row of an examination holds."""

    adapter: int
    actor: int | None


class ProbeJob(Schema):
    """What the job row of a context probe holds."""

    adapter: int
    request: ContextProbeRequest
    actor: int | None


class CompareJob(Schema):
    """What the job row of a comparison holds: two adapters of one release by number."""

    first: int
    second: int
    part: SplitPart
    actor: int | None
