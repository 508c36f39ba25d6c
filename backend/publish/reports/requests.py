"""What is asked of a report, in the one shape that the form, the API, the command and the job use."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from analysis.lexicon import MOST_CATEGORIES, MOST_WORDS, Lexicon
from analysis.surrogate import Surrogate

PERIODS = {"1mo": "Months", "1q": "Quarters", "1y": "Years"}
Topic = Annotated[str, Field(max_length=120)]


class RuleThen(BaseModel):
    measure: str
    bound: str
    at_least: float


class LexiconGiven(BaseModel):
    """`scores` of each word in the order of the categories."""

    name: str = Field(max_length=200)
    categories: list[str] = Field(min_length=1, max_length=MOST_CATEGORIES)
    scores: dict[str, list[float]] = Field(min_length=1, max_length=MOST_WORDS)

    @model_validator(mode="after")
    def _each_word_has_every_category(self) -> Self:
        if any(len(scores) != len(self.categories) for scores in self.scores.values()):
            raise ValueError("give each word of the lexicon a score in every category")
        return self

    @classmethod
    def of(cls, lexicon: Lexicon) -> Self:
        scores = {word: list(own) for word, own in lexicon.scores.items()}
        return cls(name=lexicon.name, categories=list(lexicon.categories), scores=scores)

    def lexicon(self) -> Lexicon:
        scores = {word: tuple(own) for word, own in self.scores.items()}
        return Lexicon(self.name, tuple(self.categories), scores)


class ReportRequest(BaseModel):
    """`run` is the number of a finished labelling run, `release` that of the release whose labels correct it, if any.

    `surrogate` is what stands for gold where there is none: the model's probabilities, where it gives any, or its
    decisions. `topics` by community: each has one, or none has. Without `sections` all are made. `agreement` is the
    report on agreement that the methods tell of; by default the newest when it is asked for, so that making it again
    later finds the same. So it is with the frozen `plan`, by its number, with the rule for agreement as it was, and
    with the `epsilons` that the run's model had been put to the alternative-annotator test with. `lexicon` scores the
    words of marked sentences.
    """

    model_config = ConfigDict(extra="forbid")

    run: int
    release: int | None = None
    title: str = Field(default="", max_length=200)
    topics: dict[str, Topic] = Field(default_factory=dict)
    with_corrected: bool = True
    surrogate: Surrogate = Surrogate.PROBABILITY
    every: Literal["1mo", "1q", "1y"] | None = None
    sections: list[str] = Field(default_factory=list)
    lexicon: LexiconGiven | None = None
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
