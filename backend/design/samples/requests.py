"""What a person or a notebook asks for when drawing a sample; one shape for forms, calls and job rows."""

from __future__ import annotations

from typing import Literal

from ninja import Field, Schema

from backend.core.studies.models import Study
from backend.design.corpora.models import Corpus
from backend.design.samples.models import Sample
from backend.design.samples.services import SampleError
from corpus.sampling.design_json import design_from_json
from corpus.sampling.designs import Design

DesignKind = Literal["pps_posts", "uniform_pairs", "whole_posts"]


class DrawRequest(Schema):
    """Which items to draw from which corpus."""

    name: str = Field(min_length=1, max_length=120)
    corpus: str = Field(description="The corpus's short name, as in its address.")
    kind: DesignKind
    n: int = Field(ge=1, le=10_000_000, description="Units from each community.")
    n_by_community: dict[str, int] = Field(default_factory=dict)
    take_all_if_smaller: bool = False
    seed: int = Field(ge=0, le=2**63 - 1)
    disjoint_from: list[str] = Field(default_factory=list, description="Names of samples to stay clear of.")

    def design(self) -> Design:
        return design_from_json(
            {
                "kind": self.kind,
                "n": self.n,
                "n_by_community": self.n_by_community,
                "take_all_if_smaller": self.take_all_if_smaller,
            }
        )

    def corpus_in(self, study: Study) -> Corpus:
        found = study.corpora.filter(slug=self.corpus).first()
        if found is None:
            raise SampleError(f"This study has no corpus “{self.corpus}”.")
        return found

    def samples_to_avoid(self, study: Study) -> list[Sample]:
        found = list(study.samples.filter(name__in=self.disjoint_from))
        missing = sorted(set(self.disjoint_from) - {sample.name for sample in found})
        if missing:
            raise SampleError(f"This study has no sample named {', '.join(missing)}.")
        return found


class DrawJob(Schema):
    """What a draw's job row holds."""

    study: int
    actor: int
    request: DrawRequest
