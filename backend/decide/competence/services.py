"""What asks for an estimate, keeps it, and lets annotators see their own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pydantic import BaseModel

from backend.core.accounts.models import User
from backend.core.jobs.models import Job
from backend.core.jobs.selectors import active_jobs
from backend.core.jobs.services import enqueue_job
from backend.core.studies.models import Study
from backend.core.studies.services import record_event
from backend.decide.competence.models import CompetenceChoice, CompetenceEstimate
from backend.decide.competence.themes import ThemeCompetence, encode_themes
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import edition_in_force

ESTIMATE_COMPETENCE = "estimate_competence"


class EstimateJob(BaseModel):
    study: int
    actor: int


def request_estimate(*, study: Study, actor: User, now: datetime) -> Job:
    """While one waits or is at work, that is the answer. Raises NoCodebook."""
    edition_in_force(study)
    running = estimating(study)
    if running is not None:
        return running
    arguments = EstimateJob(study=study.pk, actor=actor.pk).model_dump(mode="json")
    return enqueue_job(kind=ESTIMATE_COMPETENCE, arguments=arguments, study=study, created_by=actor, now=now)


def estimating(study: Study) -> Job | None:
    return active_jobs(study.pk).filter(kind=ESTIMATE_COMPETENCE).order_by("pk").first()


def keep_estimate(
    *,
    study: Study,
    edition: Edition,
    themes: Sequence[ThemeCompetence],
    resamples: int,
    least: int,
    actor: User,
    now: datetime,
) -> CompetenceEstimate:
    record_event(study=study, actor=actor, summary="Estimated the competence of annotators", now=now)
    return CompetenceEstimate.objects.create(
        study=study,
        edition=edition,
        themes=encode_themes(themes),
        resamples=resamples,
        least=least,
        requested_by=actor,
        estimated_at=now,
    )


def choose_visibility(*, study: Study, annotators_see_own: bool, actor: User, now: datetime) -> None:
    CompetenceChoice.objects.update_or_create(
        study=study, defaults={"annotators_see_own": annotators_see_own}
    )
    can = "can" if annotators_see_own else "cannot"
    summary = f"Annotators {can} see how they did under models of agreement"
    record_event(study=study, actor=actor, summary=summary, now=now)
