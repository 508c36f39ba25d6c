"""What pages, calls and the schedule read about retraining."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import QuerySet
from django.http import Http404

from backend.core.studies.models import Study
from backend.learn.retraining.final_judgments import count_final_judgments
from backend.learn.retraining.models import RetrainingRun, RetrainingSchedule, RunState, ScheduleKind
from backend.learn.retraining.occasions import Occasion, Rhythm, latest_occasion, next_occasion


def schedule_of(study: Study) -> RetrainingSchedule | None:
    return RetrainingSchedule.objects.select_related("study", "changed_by").filter(study=study).first()


def runs_of(study: Study) -> QuerySet[RetrainingRun]:
    """Newest first."""
    found = RetrainingRun.objects.filter(study=study)
    return found.select_related("study", "job", "release", "adapter", "promotion_report", "started_by")


def run_numbered(study: Study, number: int) -> RetrainingRun:
    found = runs_of(study).filter(number=number).first()
    if found is None:
        raise Http404(f"This study has no retraining {number}.")
    return found


def run_under_way(study: Study) -> RetrainingRun | None:
    return runs_of(study).filter(state=RunState.RUNNING).first()


def new_final_judgments(study: Study) -> int:
    """Since the latest run began, whatever became of it; an item that was reopened meanwhile counts against."""
    latest = runs_of(study).first()
    return max(0, count_final_judgments(study) - (latest.final_judgments if latest else 0))


def due_occasion(schedule: RetrainingSchedule, *, now: datetime) -> Occasion | None:
    """What should have started by now and was not claimed yet: of several missed nights the last one alone."""
    if schedule.kind == ScheduleKind.JUDGMENTS:
        latest = runs_of(schedule.study).first()
        if new_final_judgments(schedule.study) < schedule.enough:
            return None
        return Occasion(f"new judgments after retraining {latest.number if latest else 0}", now)
    found = latest_occasion(_rhythm(schedule), now, _zone())
    return found if found.at > schedule.after and not _is_claimed(schedule, found) else None


def coming_occasion(schedule: RetrainingSchedule, *, now: datetime) -> Occasion | None:
    """The next one that the clock brings; none if it is off or waits for judgments."""
    if not schedule.is_on or schedule.kind == ScheduleKind.JUDGMENTS:
        return None
    due = due_occasion(schedule, now=now)
    found = due or next_occasion(_rhythm(schedule), max(now, schedule.after), _zone())
    while _is_claimed(schedule, found):
        found = next_occasion(_rhythm(schedule), found.at, _zone())
    return found


def _is_claimed(schedule: RetrainingSchedule, occasion: Occasion) -> bool:
    return RetrainingRun.objects.filter(study=schedule.study_id, occasion=occasion.key).exists()


def _rhythm(schedule: RetrainingSchedule) -> Rhythm:
    return Rhythm(schedule.hour, schedule.weekday if schedule.kind == ScheduleKind.WEEKLY else None)


def _zone() -> ZoneInfo:
    return ZoneInfo(settings.TIME_ZONE)
