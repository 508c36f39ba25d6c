"""What a person or a notebook asks for when freezing a release; one shape for forms, calls, commands and job rows."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from msgspec import UNSET
from ninja import Field, Schema
from pydantic import StringConstraints, model_validator

from annotation.consensus.values import Method, SpanRule, Ties
from annotation.release.labels import LabelRules
from annotation.release.manifest import Request
from annotation.release.split import read_ratio
from annotation.release.superseded import Superseded
from backend.core.studies.models import Study
from backend.decide.releases.models import Release
from backend.decide.releases.selectors import release_numbered
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import edition_in_force, edition_numbered

Consensus = Literal["majority", "dawid-skene", "mace", "none"]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120)]


class FreezeRequest(Schema):
    """Which labels to freeze, and how."""

    name: Name
    note: str = Field(default="", max_length=2000)
    edition: int | None = Field(default=None, ge=1, description="Number of the edition; the newest if none.")
    texts: bool = Field(default=False, description="Whether the texts go along word for word.")
    consensus: Consensus = Field(
        default="majority", description="What settles disagreements; none leaves them out."
    )
    ties: Literal["seed", "none", "frequent"] = Field(
        default="seed",
        description="Of the majority: chance decides by the seed, no label, or the answer that is more frequent.",
    )
    spans: Literal["union", "intersection", "majority"] = "majority"
    superseded: Literal["keep", "leave-out", "weight"] = "keep"
    superseded_weight: float = Field(default=1.0, gt=0, le=1)
    soft_labels: bool = Field(
        default=False,
        description="Whether each annotator's labels and the share behind each answer go along as tables.",
    )
    singles: bool = Field(default=True, description="Whether what one annotator alone said is a label.")
    ratio: str = Field(default="6:2:2", pattern=r"^\d{1,4}:\d{1,4}:\d{1,4}$")
    seed: int = Field(default=1, ge=0, le=2**63 - 1)
    split_like: int | None = Field(
        default=None, ge=1, description="Number of an earlier release whose posts stay in their parts."
    )
    licence: str = Field(default="", max_length=500)

    @model_validator(mode="after")
    def _goes_together(self) -> Self:
        read_ratio(self.ratio)
        Superseded(self.superseded, self.superseded_weight)
        return self

    def edition_in(self, study: Study) -> Edition:
        return edition_numbered(study, self.edition) if self.edition else edition_in_force(study)

    def rules(self) -> LabelRules:
        method = Method.MAJORITY if self.consensus == "none" else Method(self.consensus)
        superseded = Superseded(self.superseded, self.superseded_weight)
        return LabelRules(
            method,
            SpanRule(self.spans),
            superseded,
            self.seed,
            singles=self.singles,
            ties=Ties(self.ties),
            soft=self.soft_labels,
        )

    def earlier_in(self, study: Study) -> Release | None:
        return release_numbered(study, self.split_like) if self.split_like else None

    def as_stored(self, study: Study) -> Request:
        """As the manifest keeps it."""
        earlier = self.earlier_in(study)
        return Request(
            texts=self.texts,
            consensus=self.consensus,
            spans=self.spans,
            superseded=self.superseded,
            superseded_weight=self.superseded_weight if self.superseded == "weight" else 1.0,
            singles=self.singles,
            ratio=read_ratio(self.ratio),
            seed=self.seed,
            split_like=earlier.hash if earlier else "",
            licence=self.licence.strip(),
            ties=self.ties,
            soft_labels=True if self.soft_labels else UNSET,
        )


class FreezeJob(Schema):
    """What a freezing's job row holds."""

    study: int
    actor: int
    request: FreezeRequest
