"""What a person or a notebook asks for when drawing a sample; one shape for forms, calls and job rows."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from ninja import Field, Schema

from backend.core.accounts.models import User
from backend.core.jobs.models import Job
from backend.core.jobs.services import enqueue_job
from backend.core.studies.models import Study
from backend.design.corpora.models import Corpus
from backend.design.samples.models import Sample
from backend.design.samples.services import SampleError, refuse_impossible, refuse_taken_name
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


DRAW_SAMPLE = "draw_sample"


def enqueue_draw(*, study: Study, request: DrawRequest, actor: User, now: datetime) -> Job:
    """What cannot be drawn is refused at once; of a corpus that is too large to look at here, the job tells."""
    corpus, design, others = request.corpus_in(study), request.design(), request.samples_to_avoid(study)
    refuse_taken_name(study, request.name)
    refuse_impossible(corpus=corpus, design=design, seed=request.seed, disjoint_from=others)
    job = DrawJob(study=study.pk, actor=actor.pk, request=request)
    return enqueue_job(
        kind=DRAW_SAMPLE, arguments=job.model_dump(mode="json"), study=study, created_by=actor, now=now
    )
