"""What changes a study's schedule, and what looks after all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction

from backend.core.accounts.models import User
from backend.core.jobs.services import request_cancel, retry_job
from backend.core.studies.models import Study
from backend.core.studies.services import record_event
from backend.learn.models.service_file import mend_service_files
from backend.learn.retraining.beat import keep_all_in_step, keep_in_step
from backend.learn.retraining.claiming import start_if_due
from backend.learn.retraining.ending import close_abandoned_runs
from backend.learn.retraining.errors import AlreadyRetraining, NothingToLearnFrom, ScheduleOutOfRange
from backend.learn.retraining.models import USUAL_LEARNER, RetrainingRun, RetrainingSchedule, ScheduleKind
from backend.learn.retraining.selectors import run_under_way
from backend.learn.retraining.words import in_a_sentence, schedule_words
from learning.learners.registry import LEARNERS, UnknownLearner, can_continue


@dataclass(frozen=True, slots=True)
class Plan:
    """When to retrain; of `hour`, `weekday` and `enough` only those count that the kind asks for."""

    kind: ScheduleKind
    hour: int = 2
    weekday: int = 6
    enough: int = 100
    is_on: bool = True
    learner: str = USUAL_LEARNER
    options: Mapping[str, object] = field(default_factory=dict)
    continues: bool = False

    def problems(self) -> list[str]:
        found = []
        if not 0 <= self.hour <= 23:
            found.append("The hour has to be from 0 to 23.")
        if not 0 <= self.weekday <= 6:
            found.append("The weekday has to be from 0, Monday, to 6, Sunday.")
        if not 1 <= self.enough <= 1_000_000:
            found.append("The number of new final judgments has to be from 1 to 1,000,000.")
        if self.learner not in {each.name for each in LEARNERS}:
            found.append(str(UnknownLearner(self.learner)))
        elif self.continues and not can_continue(self.learner):
            found.append(
                f"The learner {self.learner} always learns anew: it cannot begin from the model in service."
            )
        return found


def change_schedule(*, study: Study, plan: Plan, actor: User | None, now: datetime) -> RetrainingSchedule:
    """From now on: what fell due before the change starts nothing."""
    if plan.problems():
        raise ScheduleOutOfRange(plan.problems())
    if plan.is_on and not study.editions.exists():
        raise NothingToLearnFrom
    with transaction.atomic():
        schedule, _ = RetrainingSchedule.objects.update_or_create(
            study=study,
            defaults={
                "kind": plan.kind,
                "hour": plan.hour,
                "weekday": plan.weekday,
                "enough": plan.enough,
                "is_on": plan.is_on,
                "learner": plan.learner,
                "options": dict(plan.options),
                "continues": plan.continues,
                "after": now,
                "changed_by": actor,
                "changed_at": now,
            },
        )
        keep_in_step(schedule)
        record_event(
            study=study,
            actor=actor,
            summary=f"Retraining: {in_a_sentence(schedule_words(schedule))}",
            now=now,
        )
    return schedule


def catch_up(*, now: datetime) -> list[RetrainingRun]:
    """Whatever beat missed: runs whose job ended without a word, rows out of step, occasions that nobody started; and a
    file that says of an adapter that it is in service when another is."""
    close_abandoned_runs(now=now)
    keep_all_in_step()
    waiting = RetrainingSchedule.objects.filter(is_on=True).order_by("pk").values_list("study_id", flat=True)
    found = [start_if_due(study_id=study_id, now=now) for study_id in waiting]
    mend_service_files()
    return [run for run in found if run is not None]


def stop_run(*, run: RetrainingRun, now: datetime) -> None:
    """A run that still waited for a worker is over at once; one at work stops within seconds."""
    request_cancel(job_id=run.job_id, now=now)
    close_abandoned_runs(now=now)


def take_up_again(*, run: RetrainingRun, now: datetime) -> None:
    """A run that failed or was stopped goes on at the step it had come to."""
    other = run_under_way(run.study)
    if other is not None:
        raise AlreadyRetraining(other.number)
    retry_job(job_id=run.job_id, now=now)
