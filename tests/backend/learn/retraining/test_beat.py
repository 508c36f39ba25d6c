"""Beat has one row for each study's schedule, in step with it."""

from __future__ import annotations

import json

from django_celery_beat.models import PeriodicTask, PeriodicTasks
from pytest_django.fixtures import Settings

from backend.learn.retraining.beat import keep_all_in_step, task_name
from backend.learn.retraining.models import ScheduleKind
from backend.learn.retraining.services import Plan
from backend.operate.erasure.services import erase_study
from tests.backend.learn.retraining.fixtures import scheduled
from tests.batch_fixtures import CastAtWork


def row(work: CastAtWork) -> PeriodicTask:
    return PeriodicTask.objects.get(name=task_name(work.study.pk))


def cron(work: CastAtWork) -> str:
    found = row(work).crontab
    return f"{found.minute} {found.hour} {found.day_of_week} {found.timezone}"


def test_each_kind_has_its_rhythm(work: CastAtWork, settings: Settings) -> None:
    settings.TIME_ZONE = "Europe/Berlin"
    scheduled(work, Plan(ScheduleKind.NIGHTLY, hour=3))
    assert (row(work).enabled, row(work).interval, cron(work)) == (True, None, "0 3 * Europe/Berlin")
    assert json.loads(row(work).kwargs) == {"study_id": work.study.pk}
    scheduled(work, Plan(ScheduleKind.WEEKLY, hour=4, weekday=6))
    assert cron(work) == "0 4 0 Europe/Berlin"
    scheduled(work, Plan(ScheduleKind.JUDGMENTS, enough=5))
    assert row(work).crontab is None
    assert (row(work).interval.every, row(work).interval.period) == (30, "seconds")
    scheduled(work, Plan(ScheduleKind.NIGHTLY, is_on=False))
    assert row(work).enabled is False
    assert PeriodicTask.objects.count() == 1


def test_beat_is_told_of_a_change_and_of_nothing_else(work: CastAtWork) -> None:
    scheduled(work)
    told = PeriodicTasks.last_change()
    keep_all_in_step()
    assert PeriodicTasks.last_change() == told
    scheduled(work, Plan(ScheduleKind.NIGHTLY, hour=5))
    assert PeriodicTasks.last_change() > told


def test_a_changed_time_zone_reaches_the_rows(work: CastAtWork, settings: Settings) -> None:
    scheduled(work)
    settings.TIME_ZONE = "Asia/Tokyo"
    keep_all_in_step()
    assert cron(work) == "0 2 * Asia/Tokyo"


def test_a_deleted_study_leaves_no_row(work: CastAtWork) -> None:
    scheduled(work)
    erase_study(study=work.study)
    keep_all_in_step()
    assert not PeriodicTask.objects.exists()
