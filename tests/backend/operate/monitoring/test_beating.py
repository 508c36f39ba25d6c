"""Beat is well while its messages reach the broker, by the check that docker-compose.yml has for it."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from celery import Celery
from celery.beat import ScheduleEntry, SchedulingError
from django.utils.module_loading import import_string
from pytest_django.fixtures import Settings

from backend.celery import app
from backend.operate.monitoring.beating import WatchedScheduler
from tests.integration.compose_services import SERVICES, ComposeServices
from tests.servers import free_port

GIVEN = dict.fromkeys(SERVICES["beat"]["environment"], "given")


def sweep(sender: Celery) -> None:
    scheduler = WatchedScheduler(app=sender, lazy=True)
    scheduler.apply_async(ScheduleEntry(name="jobs.sweep", task="jobs.sweep", app=sender), advance=False)


@pytest.mark.django_db
def test_beat_is_well_only_while_its_messages_are_taken(tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR = tmp_path
    here = {"/data/run": str(tmp_path / "run")}
    services = ComposeServices(tmp_path, GIVEN)
    away = Celery(broker=f"redis://127.0.0.1:{free_port()}/0", set_as_current=False)
    away.conf.update(task_publish_retry=False, broker_transport_options={"max_retries": 0})
    with pytest.raises(SchedulingError):
        sweep(away)
    assert not services.is_well("beat", here), "it has sent nothing"
    sweep(app)
    app.control.purge()
    assert services.is_well("beat", here)
    two_minutes_ago = time.time() - 120
    os.utime(tmp_path / "run" / "beat.ready", (two_minutes_ago, two_minutes_ago))
    assert not services.is_well("beat", here), "its schedule stands still"
    with pytest.raises(SchedulingError):
        sweep(away)
    assert not services.is_well("beat", here)


def test_beat_in_production_has_this_schedule() -> None:
    command = SERVICES["beat"]["command"]
    named = command[command.index("--scheduler") + 1].replace(":", ".")
    assert import_string(named) is WatchedScheduler
