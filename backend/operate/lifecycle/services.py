"""What archives, restores, copies and deletes a study."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from pydantic import BaseModel

from backend.annotate.batches.models import BatchState
from backend.annotate.batches.queue import enqueue_preparation
from backend.core.accounts.models import User
from backend.core.jobs.models import ACTIVE_STATES, Job
from backend.core.jobs.selectors import active_jobs
from backend.core.jobs.services import enqueue_job
from backend.core.studies.access import role_in
from backend.core.studies.models import Membership, Study, StudyRole
from backend.core.studies.services import create_study, record_event
from backend.decide.adjudication.models import AdjudicationPlan
from backend.decide.agreement.models import AgreementRule
from backend.design.codebooks.selectors import latest_edition
from backend.design.codebooks.services import add_edition
from backend.learn.models.models import StudyPromotionRule
from backend.learn.prelabels.models import PrelabelSettings
from backend.operate.lifecycle.errors import (
    AlreadyArchived,
    DeletionRunning,
    NotArchived,
    StillBusy,
    WrongName,
)

DELETE_STUDY = "delete_study"
# Each has one row for a study, and nothing in it points to anything of that study
SETTINGS = (AgreementRule, AdjudicationPlan, StudyPromotionRule, PrelabelSettings)


def may_delete(user: User, study: Study) -> bool:
    """Whoever started the study and still researches in it, and admins."""
    is_owner = study.created_by_id == user.pk and role_in(user, study) == StudyRole.RESEARCHER
    return user.is_admin or is_owner


@transaction.atomic
def archive_study(*, study: Study, actor: User | None, now: datetime) -> Study:
    """From here on it can only be read. Seats in Label Studio close as soon as a worker gets there."""
    study = _locked(study)
    if study.archived_at:
        raise AlreadyArchived(study)
    if active_jobs(study.pk).exists():
        raise StillBusy(study)
    study.archived_at = now
    study.save(update_fields=["archived_at"])
    record_event(study=study, actor=actor, summary="Archived the study", now=now)
    _bring_seats_in_line(study, actor, now)
    return study


@transaction.atomic
def restore_study(*, study: Study, actor: User | None, now: datetime) -> Study:
    study = _locked(study)
    if not study.archived_at:
        raise NotArchived(study)
    study.archived_at = None
    study.save(update_fields=["archived_at"])
    record_event(study=study, actor=actor, summary="Restored the study from the archive", now=now)
    _bring_seats_in_line(study, actor, now)
    return study


def _bring_seats_in_line(study: Study, actor: User | None, now: datetime) -> None:
    for batch in study.batches.filter(state__in=[BatchState.OPEN, BatchState.PAUSED]):
        enqueue_preparation(batch=batch, actor=actor, now=now)


@transaction.atomic
def copy_study(*, study: Study, name: str, with_members: bool, actor: User, now: datetime) -> Study:
    """The newest edition of the codebook and the study's settings; no texts, no answers, nothing made of them."""
    copy = create_study(name=name, description=study.description, created_by=actor, now=now)
    edition = latest_edition(study)
    if edition is not None:
        add_edition(
            study=copy,
            source=edition.source,
            file_name=f"{study.slug}.yaml",
            note=f"As edition {edition.number} of {study.name}",
            actor=actor,
            now=now,
        )
    for settings in SETTINGS:
        row = settings.objects.filter(study=study).first()
        if row is not None:
            row.pk, row.study = None, copy
            row._state.adding = True
            row.save()
    if with_members:
        others = study.memberships.exclude(user=actor).filter(user__is_active=True)
        Membership.objects.bulk_create(
            Membership(study=copy, user_id=known.user_id, role=known.role, added_at=now) for known in others
        )
    record_event(
        study=copy, actor=actor, summary=f"Copied codebook and settings from “{study.name}”", now=now
    )
    record_event(study=study, actor=actor, summary=f"Copied codebook and settings to “{copy.name}”", now=now)
    return copy


class DeletionJob(BaseModel):
    """The study is gone in the end, so its name goes along."""

    study: int
    name: str
    actor: int


@transaction.atomic
def ask_for_deletion(*, study: Study, confirmed_name: str, actor: User, now: datetime) -> Job:
    """Nobody gets into it from here on; a worker deletes it."""
    study = _locked(study)
    if confirmed_name.strip() != study.name:
        raise WrongName(study)
    if active_jobs(study.pk).exists():
        raise StillBusy(study)
    study.deletion_asked_at = now
    study.save(update_fields=["deletion_asked_at"])
    job = DeletionJob(study=study.pk, name=study.name, actor=actor.pk)
    # No job of the study, with which it would go
    return enqueue_job(
        kind=DELETE_STUDY, arguments=job.model_dump(mode="json"), study=None, created_by=actor, now=now
    )


@transaction.atomic
def keep_study(*, job: Job, actor: User, now: datetime) -> Study | None:
    """After a deletion that was stopped or failed. None if the study is gone."""
    if Job.objects.filter(pk=job.pk, state__in=ACTIVE_STATES).exists():
        raise DeletionRunning
    asked = DeletionJob.model_validate(job.arguments)
    study = Study.objects.filter(pk=asked.study, deletion_asked_at__isnull=False).first()
    if study is None:
        return None
    study.deletion_asked_at = None
    study.save(update_fields=["deletion_asked_at"])
    record_event(study=study, actor=actor, summary="Called the deletion of the study off", now=now)
    _bring_seats_in_line(study, actor, now)
    return study


def _locked(study: Study) -> Study:
    return Study.objects.select_for_update(no_key=True).get(pk=study.pk)
