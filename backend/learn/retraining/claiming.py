"""Starts a run for an occasion, once: two beats, a doubled message or a clock that was set back find it taken."""

from __future__ import annotations

from datetime import datetime

from django.db import IntegrityError, transaction

from backend.core.accounts.models import User
from backend.core.jobs.models import Job
from backend.core.jobs.services import enqueue_job
from backend.core.studies.models import Study
from backend.design.codebooks.selectors import latest_edition
from backend.learn.models.selectors import adapter_in_service
from backend.learn.retraining.errors import AlreadyRetraining, NothingToLearnFrom
from backend.learn.retraining.final_judgments import count_final_judgments
from backend.learn.retraining.models import USUAL_LEARNER, RetrainingRun, RetrainingSchedule
from backend.learn.retraining.occasions import Occasion
from backend.learn.retraining.selectors import due_occasion, run_under_way, runs_of, schedule_of

# The same for each run: what differs between two of them is what there was to learn from.
SEED = 1


def start_if_due(*, study_id: int, now: datetime) -> RetrainingRun | None:
    """None if nothing is due, another was faster, or a run is under way: the occasion then waits for its end."""
    schedule = (
        RetrainingSchedule.objects.select_related("study")
        .filter(study=study_id, is_on=True, study__archived_at=None, study__deletion_asked_at=None)
        .first()
    )
    if schedule is None or run_under_way(schedule.study):
        return None
    occasion = due_occasion(schedule, now=now)
    if occasion is None:
        return None
    try:
        with transaction.atomic():
            if not _claim(schedule, occasion):
                return None
            return _begin(schedule.study, occasion.key, None, now)
    except IntegrityError:
        return None


def start_by_hand(*, study: Study, actor: User | None, now: datetime) -> RetrainingRun:
    latest = runs_of(study).first()
    try:
        with transaction.atomic():
            return _begin(study, f"by hand after retraining {latest.number if latest else 0}", actor, now)
    except IntegrityError:
        under_way = run_under_way(study)
        raise AlreadyRetraining(under_way.number if under_way else 0) from None


def training_of(study: Study) -> dict[str, object]:
    """As the schedule has it; a study without one learns by the usual learner. It learns anew where no adapter of the
    learner is in service."""
    schedule = schedule_of(study)
    if schedule is None:
        return {"learner": USUAL_LEARNER, "options": {}, "seed": SEED}
    found = {"learner": schedule.learner, "options": schedule.options, "seed": SEED}
    current = adapter_in_service(study) if schedule.continues else None
    if current is not None and current.learner == schedule.learner:
        found["parent"] = current.number
    return found


def _claim(schedule: RetrainingSchedule, occasion: Occasion) -> bool:
    as_seen = RetrainingSchedule.objects.filter(pk=schedule.pk, is_on=True, after=schedule.after)
    return as_seen.update(after=occasion.at) == 1


def _begin(study: Study, occasion: str, actor: User | None, now: datetime) -> RetrainingRun:
    latest, edition = runs_of(study).first(), latest_edition(study)
    if edition is None:
        raise NothingToLearnFrom
    number = latest.number + 1 if latest else 1
    return RetrainingRun.objects.create(
        study=study,
        number=number,
        occasion=occasion,
        job=enqueue_retraining(study=study, number=number, actor=actor, now=now),
        final_judgments=count_final_judgments(study),
        edition=edition,
        previous=study.releases.first(),
        training=training_of(study),
        started_by=actor,
        started_at=now,
    )


RETRAIN = "retrain"


def enqueue_retraining(*, study: Study, number: int, actor: User | None, now: datetime) -> Job:
    return enqueue_job(kind=RETRAIN, arguments={"retraining": number}, study=study, created_by=actor, now=now)
