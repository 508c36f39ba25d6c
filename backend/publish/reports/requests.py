"""What is asked of a report, in the one shape that the form, the API, the command and the job use."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

PERIODS = {"1mo": "Months", "1q": "Quarters", "1y": "Years"}
Topic = Annotated[str, Field(max_length=120)]


class RuleThen(BaseModel):
    measure: str
    bound: str
    at_least: float


class ReportRequest(BaseModel):
    """`run` is the number of a finished labelling run, `release` that of the release whose labels correct it, if any.

    `topics` by community: each has one, or none has. Without `sections` all are made. `agreement` is the report on
    agreement that the methods tell of; by default the newest when it is asked for, so that making it again later finds
    the same. So it is with the frozen `plan`, by its number, with the rule for agreement as it then was, and with the
    `epsilons` that the run's model had been put to the alternative-annotator test with.
    """

    model_config = ConfigDict(extra="forbid")

    run: int
    release: int | None = None
    title: str = Field(default="", max_length=200)
    topics: dict[str, Topic] = Field(default_factory=dict)
    with_corrected: bool = True
    every: Literal["1mo", "1q", "1y"] | None = None
    sections: list[str] = Field(default_factory=list)
    agreement: int | None = None
    plan: int | None = None
    agreement_rule: RuleThen | None = None
    epsilons: list[float] = Field(default_factory=list)


class MakeJob(BaseModel):
    study: int
    request: ReportRequest
    actor: int


class CheckJob(BaseModel):
    report: int
    actor: int
