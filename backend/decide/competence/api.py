"""Calls about annotators' competence, for researchers."""

from __future__ import annotations

from datetime import datetime

from django.http import Http404, HttpRequest
from django.utils import timezone
from ninja import Field, Router, Schema, Status

from annotation.consensus.competence_values import Model
from backend.core.accounts.access import user_of
from backend.core.jobs.api import JobOut
from backend.core.jobs.models import Job
from backend.core.studies.access import RESEARCHER, study_of
from backend.decide.competence.selectors import newest_estimate
from backend.decide.competence.services import request_estimate
from backend.decide.competence.themes import read_themes

router = Router(auth=RESEARCHER)


class CompetenceIntervalOut(Schema):
    value: float
    low: float
    high: float


class AnnotatorCompetenceOut(Schema):
    annotator: str
    n: int = Field(description="Items that others judged too.")
    values: dict[Model, CompetenceIntervalOut] = Field(description="Empty where there is too little to tell.")
    missing: str = Field(description="What there is too little of.")


class ThemeCompetenceOut(Schema):
    code: str
    name: str
    n_items: int
    annotators: list[AnnotatorCompetenceOut] = Field(description="By name, not by value.")


class CompetenceOut(Schema):
    edition: int
    estimated_at: datetime
    resamples: int
    least: int
    themes: list[ThemeCompetenceOut]


@router.get("", response=CompetenceOut)
def read_competence(request: HttpRequest) -> CompetenceOut:
    """The newest estimate."""
    found = newest_estimate(study_of(request))
    if found is None:
        raise Http404("Nothing was estimated yet: POST to estimate.")
    return CompetenceOut(
        edition=found.edition.number,
        estimated_at=found.estimated_at,
        resamples=found.resamples,
        least=found.least,
        themes=[ThemeCompetenceOut.model_validate(theme) for theme in read_themes(found)],
    )


@router.post("estimate", response={202: JobOut})
def estimate_competence(request: HttpRequest) -> Status[Job]:
    """A job; while one waits or is at work, that one."""
    return Status(202, request_estimate(study=study_of(request), actor=user_of(request), now=timezone.now()))
