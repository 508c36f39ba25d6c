"""What is well and what is not, found in the rows and around them."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from celery import Celery
from django.conf import settings
from django.core.management import call_command
from django.utils import timezone
from django_celery_beat.models import IntervalSchedule, PeriodicTask
from pytest_django.fixtures import Settings

from backend.annotate.sync.models import Project, ProjectState
from backend.celery import app
from backend.core.jobs.leases import claim_job, hand_back_job
from backend.core.jobs.models import Job, JobState
from backend.operate.backups.manifest import MANIFEST
from backend.operate.instance.half_restored import leave_sign
from backend.operate.monitoring.findings import Finding, Level, Limits
from backend.operate.monitoring.rows import (
    database_finding,
    failures_finding,
    models_finding,
    queue_finding,
    schedule_finding,
    sync_finding,
)
from backend.operate.monitoring.surroundings import (
    backups_finding,
    broker_finding,
    disk_finding,
    label_studio_finding,
    ml_server_finding,
    surrounding_findings,
)
from tests.backend.learn.models.fixtures import (
    release_in,
    train,
)
from tests.backend.learn.models.test_services import enter
from tests.batch_fixtures import CastAtWork
from tests.cast import NOW, Cast
from tests.servers import free_port

LIMITS = Limits()
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


def queued(since: datetime, woken: datetime | None) -> Job:
    return Job.objects.create(kind="draw_sample", arguments={}, created_at=since, woken_at=woken)


def level_and_words(finding: Finding) -> tuple[Level, str]:
    return finding.level, finding.says


@pytest.mark.django_db
def test_the_database_is_well_when_it_answers_and_is_up_to_date() -> None:
    assert database_finding() == Finding("database", Level.OK, "answers and is up to date")


@pytest.mark.django_db
def test_a_queue_is_well_until_a_job_waits_too_long_or_is_not_taken_up() -> None:
    assert level_and_words(queue_finding(LIMITS, now=NOW)) == (Level.OK, "0 queued, 0 running")
    job = queued(NOW - 2 * MINUTE, NOW)
    assert queue_finding(LIMITS, now=NOW).says == "1 queued, 0 running, the oldest queued for 2 min"
    Job.objects.update(created_at=NOW - 2 * HOUR)
    assert queue_finding(LIMITS, now=NOW).level is Level.WARNING
    Job.objects.update(woken_at=NOW - 6 * MINUTE)
    level, says = level_and_words(queue_finding(LIMITS, now=NOW))
    assert level is Level.CRITICAL and "1 jobs are not taken up" in says
    Job.objects.filter(pk=job.pk).update(
        state=JobState.RUNNING,
        lease_until=NOW - 6 * MINUTE,
        heartbeat_at=NOW - 7 * MINUTE,
        started_at=NOW - HOUR,
        fence=1,
        attempts=1,
    )
    assert queue_finding(LIMITS, now=NOW).level is Level.CRITICAL
    Job.objects.update(lease_until=NOW + MINUTE)
    assert level_and_words(queue_finding(LIMITS, now=NOW)) == (Level.OK, "0 queued, 1 running")


@pytest.mark.django_db
def test_a_job_that_waits_for_the_ml_backend_is_no_neglected_one() -> None:
    """It was asked for hours ago, and each try hands it back: until the next sweep nothing has woken it."""
    job = queued(NOW - HOUR / 2, None)
    claim = claim_job(job_id=job.pk, now=NOW - MINUTE)
    assert claim is not None
    hand_back_job(claim, now=NOW)
    assert Job.objects.get(pk=job.pk).woken_at is None
    assert queue_finding(LIMITS, now=NOW).level is Level.OK
    level, says = level_and_words(queue_finding(LIMITS, now=NOW + 5 * MINUTE))
    assert level is Level.CRITICAL and "1 jobs are not taken up" in says
    Job.objects.all().delete()
    queued(NOW - MINUTE, None)
    assert queue_finding(LIMITS, now=NOW).level is Level.OK, "the broker was away when it was asked for"
    assert queue_finding(LIMITS, now=NOW + 5 * MINUTE).level is Level.CRITICAL


@pytest.mark.django_db
def test_failures_of_the_last_day_are_counted_by_kind() -> None:
    assert failures_finding(LIMITS, now=NOW).level is Level.OK
    for kind, hours in (("train", 1), ("train", 2), ("import", 30)):
        finished = NOW - timedelta(hours=hours)
        Job.objects.create(
            kind=kind, arguments={}, state=JobState.FAILED, error="No.", created_at=NOW, finished_at=finished
        )
    level, says = level_and_words(failures_finding(LIMITS, now=NOW))
    assert level is Level.WARNING
    assert "2 × train" in says and "import" not in says


@pytest.mark.django_db
def test_a_schedule_that_stands_still_is_noticed() -> None:
    assert schedule_finding(LIMITS, now=NOW).level is Level.CRITICAL
    every = IntervalSchedule.objects.create(every=10, period=IntervalSchedule.SECONDS)
    sweep = PeriodicTask.objects.create(name="jobs.sweep", task="jobs.sweep", interval=every)
    for minutes, level in ((3, Level.OK), (11, Level.CRITICAL)):
        PeriodicTask.objects.filter(pk=sweep.pk).update(last_run_at=NOW - minutes * MINUTE)
        assert schedule_finding(LIMITS, now=NOW).level is level


@pytest.mark.django_db
def test_what_is_not_read_from_label_studio_is_noticed(work: CastAtWork) -> None:
    assert sync_finding(LIMITS, now=NOW).level is Level.OK
    batch = work.batch(work.cast.amal, items=work.items[:2])
    project = Project.objects.create(
        assignment=batch.assignments.get(), marker="m", label_studio_id=1, state=ProjectState.READY
    )

    def level_with(**values: object) -> Level:
        Project.objects.filter(pk=project.pk).update(**values)
        return sync_finding(LIMITS, now=NOW).level

    assert level_with() is Level.CRITICAL
    assert level_with(polled_at=NOW - MINUTE) is Level.OK
    assert level_with(poll_error="It said no.") is Level.WARNING
    assert level_with(polled_at=NOW - 6 * MINUTE) is Level.CRITICAL


@pytest.mark.django_db(transaction=True)
def test_models_in_service_are_told_with_their_age(cast: Cast, tmp_path: Path, settings: Settings) -> None:
    for name in ("RELEASES_DIR", "ADAPTERS_DIR", "ML_DIR"):
        setattr(settings, name, tmp_path / name)
    settings.ML_PATIENCE = timedelta(0)
    assert models_finding(now=NOW).says == "none in service"
    enter(train(release_in(cast.study, tmp_path / "made")))
    assert models_finding(now=NOW + timedelta(days=3)).says == "kind-words: adapter 1 for 3 d"


@pytest.fixture
def no_messages() -> None:
    """What tests before have sent, and nobody has taken."""
    for message in Path(settings.BROKER_DIR).glob("*.msg"):
        message.unlink()


def test_a_broker_tells_how_many_messages_wait(no_messages: None) -> None:
    assert broker_finding(LIMITS, app).says.startswith("0 messages for celery, ")
    for _ in range(3):
        app.send_task("jobs.sweep")
    finding = broker_finding(Limits(messages_wait=2), app)
    assert finding.level is Level.WARNING and finding.says.startswith("3 messages for celery, ")
    app.control.purge()


@pytest.mark.slow
def test_a_redis_that_is_empty_is_well_and_one_that_is_away_is_not(redis_url: str) -> None:
    assert broker_finding(LIMITS, Celery(broker=redis_url)).level is Level.OK
    away = Celery(broker=f"redis://127.0.0.1:{free_port()}/0")
    assert broker_finding(LIMITS, away).level is Level.CRITICAL


@pytest.fixture
def well_server() -> Iterator[str]:
    """Says that it is well and has no projects, as Label Studio does."""

    class Well(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            has_none = self.path.startswith("/api/projects/")
            self.send_response(200 if has_none or self.path == "/health" else 404)
            self.end_headers()
            if has_none:
                self.wfile.write(b'{"count": 0, "next": null, "results": []}')

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Well) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def test_label_studio_is_asked_by_the_way_inside(well_server: str, settings: Settings) -> None:
    settings.LABEL_STUDIO_URL = f"http://127.0.0.1:{free_port()}"
    assert label_studio_finding().level is Level.CRITICAL
    settings.LABEL_STUDIO_INSIDE_URL = well_server
    assert label_studio_finding().level is Level.OK


def test_the_ml_backend_s_server_is_asked(well_server: str, settings: Settings) -> None:
    settings.ML_SERVER_PASSWORD = "p" * 16
    settings.ML_SERVER_URL = f"http://127.0.0.1:{free_port()}"
    level, says = level_and_words(ml_server_finding())
    assert level is Level.WARNING and says.startswith(f"it does not answer at {settings.ML_SERVER_URL}")
    settings.ML_SERVER_URL = well_server
    assert ml_server_finding() == Finding("ml-server", Level.OK, "answers")


def test_a_server_that_nobody_set_up_is_not_missed(settings: Settings) -> None:
    settings.ML_SERVER_PASSWORD = ""
    settings.ML_SERVER_URL = f"http://127.0.0.1:{free_port()}"
    level, says = level_and_words(ml_server_finding())
    assert level is Level.OK and says.startswith("feedback is not set up")


def test_a_disk_is_well_while_enough_is_free(tmp_path: Path) -> None:
    free = shutil.disk_usage(tmp_path).free
    for limit, level in (
        (free // 2, Level.OK),
        (free * 2, Level.WARNING),
        (free * 20, Level.CRITICAL),
    ):
        assert disk_finding(Limits(free_bytes=limit), tmp_path).level is level


def test_backups_are_well_while_the_newest_is_fresh(tmp_path: Path) -> None:
    assert backups_finding(LIMITS, tmp_path, now=NOW).level is Level.CRITICAL
    for day in ("20260227", "20260301"):
        (tmp_path / f"attune-{day}T030000Z").mkdir()
        (tmp_path / f"attune-{day}T030000Z" / MANIFEST).touch()
    assert level_and_words(backups_finding(LIMITS, tmp_path, now=NOW)) == (
        Level.OK,
        f"2 in {tmp_path}, the newest 9 h old",
    )
    assert backups_finding(LIMITS, tmp_path, now=NOW + timedelta(days=1)).level is Level.WARNING


def test_a_restore_that_did_not_end_is_told(tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR = tmp_path
    leave_sign(tmp_path / "backup")
    (finding,) = (found for found in _around(tmp_path) if found.about == "restore")
    assert finding.level is Level.CRITICAL


def _around(folder: Path) -> Sequence[Finding]:
    return surrounding_findings(LIMITS, backups=folder, now=NOW)


@pytest.mark.django_db
def test_the_command_ends_with_the_worst_level(
    no_messages: None, well_server: str, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.LABEL_STUDIO_INSIDE_URL = settings.ML_SERVER_URL = well_server
    with pytest.raises(SystemExit) as ended:
        call_command("instance_status", "--free-gb", "0")
    said = capsys.readouterr().out.splitlines()
    assert (ended.value.code, said[0]) == (2, "CRITICAL: schedule"), said
    assert said[1].startswith("CRITICAL  schedule: beat has sent nothing yet")
    assert any(line.startswith("OK        jobs: 0 queued") for line in said)
    every = IntervalSchedule.objects.create(every=10, period=IntervalSchedule.SECONDS)
    PeriodicTask.objects.create(
        name="jobs.sweep", task="jobs.sweep", interval=every, last_run_at=timezone.now()
    )
    call_command("instance_status", "--free-gb", "0", "--json")
    told = json.loads(capsys.readouterr().out)
    assert told["level"] == "OK" and {"database", "disk", "label-studio-projects"} < {
        each["about"] for each in told["findings"]
    }
