"""Keeps Celery beat's rows in step with the schedules: one periodic task a study, and none for a study without one."""

from __future__ import annotations

import json

from django.conf import settings
from django.db import transaction
from django_celery_beat.models import CrontabSchedule, IntervalSchedule, PeriodicTask

from backend.learn.retraining.models import RetrainingSchedule, ScheduleKind

LOOK = "retraining.look"
PREFIX = "retraining of study "
LOOK_SECONDS = 30
# What was not looked at by then is found by the next look or by catching up.
MESSAGE_LIVES_SECONDS = 300


def task_name(study_id: int) -> str:
    return f"{PREFIX}{study_id}"


@transaction.atomic
def keep_in_step(schedule: RetrainingSchedule) -> None:
    """Writes only what differs, because beat reads everything anew after each change."""
    wanted = _beat_entry(schedule)
    name = task_name(schedule.study_id)
    task = PeriodicTask.objects.filter(name=name).first() or PeriodicTask(name=name)
    if task.pk and all(getattr(task, field) == value for field, value in wanted.items()):
        return
    for field, value in wanted.items():
        setattr(task, field, value)
    task.save()


def keep_all_in_step() -> None:
    """After a change of the instance's time zone too; what belongs to a deleted study goes."""
    schedules = list(RetrainingSchedule.objects.all())
    for schedule in schedules:
        keep_in_step(schedule)
    known = [task_name(schedule.study_id) for schedule in schedules]
    for task in PeriodicTask.objects.filter(name__startswith=PREFIX).exclude(name__in=known):
        task.delete()


def _beat_entry(schedule: RetrainingSchedule) -> dict[str, object]:
    is_counted = schedule.kind == ScheduleKind.JUDGMENTS
    return {
        "task": LOOK,
        "kwargs": json.dumps({"study_id": schedule.study_id}),
        "enabled": schedule.is_on,
        "interval": _often() if is_counted else None,
        "crontab": None if is_counted else _crontab(schedule),
        "expire_seconds": MESSAGE_LIVES_SECONDS,
    }


def _often() -> IntervalSchedule:
    wanted = {"every": LOOK_SECONDS, "period": IntervalSchedule.SECONDS}
    return IntervalSchedule.objects.filter(**wanted).first() or IntervalSchedule.objects.create(**wanted)


def _crontab(schedule: RetrainingSchedule) -> CrontabSchedule:
    """Cron counts days from Sunday."""
    day = "*" if schedule.kind == ScheduleKind.NIGHTLY else str((schedule.weekday + 1) % 7)
    wanted = {
        "minute": "0",
        "hour": str(schedule.hour),
        "day_of_week": day,
        "day_of_month": "*",
        "month_of_year": "*",
        "timezone": settings.TIME_ZONE,
    }
    return CrontabSchedule.objects.filter(**wanted).first() or CrontabSchedule.objects.create(**wanted)
