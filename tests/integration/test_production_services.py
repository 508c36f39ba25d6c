"""Production as local processes: PostgreSQL, Redis, web, two workers, sync, beat, the ML backend, and Label Studio on
PostgreSQL.

`python -m tests.with_servers --postgres --redis -- pytest -m production` gives it the two servers.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest
from django.conf import settings as all_settings
from django.db import connection
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings

from annotation.label_studio.encoding import encode_answers
from backend.annotate.batches.models import Batch
from backend.annotate.batches.queue import enqueue_preparation
from backend.annotate.judgments.models import Submission
from backend.annotate.label_studio.annotator_session import AnnotatorSession
from backend.annotate.label_studio.client import connect
from backend.annotate.sync.models import Project, ProjectState
from backend.annotate.sync.seats import entrance_for
from backend.core.jobs.models import Job, JobState
from backend.core.jobs.services import enqueue_job
from backend.design.samples.selectors import item_text
from backend.operate.backups.manifest import read_manifest
from tests.batch_fixtures import CastAtWork
from tests.integration import probe_handlers
from tests.integration.compose_services import ROOT, SERVICES, ComposeServices
from tests.integration.instance import database_url_of_test, wait_until, wait_until_over
from tests.integration.label_studio_server import RunningLabelStudio, new_instance, run_label_studio
from tests.servers import free_port

pytestmark = [pytest.mark.production, pytest.mark.django_db(transaction=True)]
JOBS = 16
SERVERS = ("label-studio", "ml-server")


@pytest.fixture
def label_studio_on_postgres(tmp_path: Path) -> Iterator[RunningLabelStudio]:
    """Told about its database as docker-compose.yml tells it, in a database that is made as there."""
    assert connection.vendor == "postgresql", "run it with tests.with_servers --postgres --redis"
    parts = urlsplit(database_url_of_test())
    with psycopg.connect(database_url_of_test(), autocommit=True) as server:
        server.execute((ROOT / "scripts" / "label_studio_database.sql").read_bytes())
    said = SERVICES["label-studio"]["environment"]
    here = {
        "POSTGRE_HOST": parts.hostname or "",
        "POSTGRE_PORT": str(parts.port),
        "POSTGRE_USER": parts.username or "",
        "POSTGRE_PASSWORD": "of-no-use-here",
    }
    named = {
        name: value for name, value in said.items() if name.startswith("POSTGRE_") or name == "DJANGO_DB"
    }
    assert set(here) < set(named)
    yield from run_label_studio(new_instance(tmp_path / "label-studio"), {**named, **here})


@pytest.fixture
def services(
    label_studio_on_postgres: RunningLabelStudio, tmp_path: Path, settings: Settings
) -> ComposeServices:
    """This process plays somebody who works in the pages, so it has the same Label Studio and the same broker."""
    running = label_studio_on_postgres
    settings.LABEL_STUDIO_URL, settings.LABEL_STUDIO_TOKEN = running.url, running.instance.token
    assert all_settings.BROKER_URL.startswith("redis:"), "run it with tests.with_servers --postgres --redis"
    return ComposeServices(
        tmp_path,
        {
            "ATTUNE_DATA_DIR": str(tmp_path / "data"),
            "ATTUNE_PUBLIC_URL": "https://attune.example.org",
            "ATTUNE_ALLOWED_HOSTS": "attune.example.org,127.0.0.1",
            "ATTUNE_LABEL_STUDIO_URL": "https://label.example.org",
            "ATTUNE_LABEL_STUDIO_INSIDE_URL": running.url,
            "ATTUNE_SECRET_KEY": "s3" * 30,
            "ATTUNE_PSEUDONYM_KEY": "p4" * 20,
            "ATTUNE_LABEL_STUDIO_TOKEN": running.instance.token,
            "ATTUNE_ML_SERVER_PASSWORD": "m5" * 10,
            "ATTUNE_ML_SERVER_URL": f"http://127.0.0.1:{free_port()}",
            "ML_SERVER_PASSWORD": "m5" * 10,
            "ML_ADAPTERS_DIR": str(tmp_path / "data" / "adapters"),
            "ML_READY_SIGN": str(tmp_path / "data" / "run" / "ml.ready"),
            "DATABASE_URL": database_url_of_test(),
            "BROKER_URL": all_settings.BROKER_URL,
        },
    )


def test_a_study_goes_through_all_of_them(
    services: ComposeServices, work: CastAtWork, tmp_path: Path
) -> None:
    with_probes = {
        "backend.operate.launch.liveness": f"backend.operate.launch.liveness,{probe_handlers.__name__}"
    }
    with ExitStack() as running:
        for name in ("first", "second"):
            replaced = {**with_probes, "worker@%h": f"worker@{name}"}
            running.enter_context(services.running("worker", name, replaced))
        running.enter_context(services.running("sync"))
        running.enter_context(
            services.running("beat", replaced={"/tmp/beat.pid": str(tmp_path / "beat.pid")})
        )
        _answering_and_well(services, running)
        batch = work.batch(work.cast.amal, items=work.items[:2])
        _annotated_and_synced(work, batch)
        _done_once_each_by_both(tmp_path / "journal")
        _told_to_be_well(services)
    _backed_up(services, tmp_path / "backups")


def _answering_and_well(services: ComposeServices, running: ExitStack) -> None:
    """By their own commands and checks, on other ports; then what a visitor is shown first."""
    ml_server = urlsplit(services.given["ATTUNE_ML_SERVER_URL"])
    ports = {"web": (8000, free_port()), "ml-server": (9090, ml_server.port)}
    for name, (public, own) in ports.items():
        running.enter_context(services.running(name, replaced={f"0.0.0.0:{public}": f"127.0.0.1:{own}"}))
    running.enter_context(services.running("ml-worker"))
    for name, (public, own) in ports.items():
        check = partial(services.is_well, name, {f"127.0.0.1:{public}": f"127.0.0.1:{own}"})
        wait_until(check, patience=240)
    signs = Path(services.given["ML_READY_SIGN"]).parent
    for name in ("ml-worker", "beat"):
        wait_until(partial(services.is_well, name, {"/data/run": str(signs)}), patience=120)
    sent_by_front = {"Host": "attune.example.org", "X-Forwarded-Proto": "https"}
    address = f"http://127.0.0.1:{ports['web'][1]}{reverse(all_settings.LOGIN_URL)}"
    welcome = httpx.get(address, headers=sent_by_front, trust_env=False)
    assert welcome.status_code == 200 and "Log in" in welcome.text


def _annotated_and_synced(work: CastAtWork, batch: Batch) -> None:
    job_id = enqueue_preparation(batch=batch, actor=None, now=timezone.now()).pk
    wait_until(lambda: Job.objects.get(pk=job_id).is_over, patience=120)
    job = Job.objects.get(pk=job_id)
    assert job.state == JobState.DONE, job.error
    project = Project.objects.get(assignment__batch=batch)
    assert project.state == ProjectState.READY and project.label_studio_id is not None
    tasks = {task.item: task.id for task in connect().task_index(project.label_studio_id)}
    item = work.items[0]
    result = encode_answers(work.codebook, item_text(item), work.answers(item, "asking-advice"))
    with AnnotatorSession(entrance_for(batch.assignments.get(), None, connect())) as session:
        session.submit(project.label_studio_id, tasks[item.item_id], result)
    wait_until(Submission.objects.exists, patience=120)
    submission = Submission.objects.get()
    assert submission.assigned_item.item == item
    assert list(submission.judgments.filter(value=1).values_list("code", flat=True)) == ["asking-advice"]


def _done_once_each_by_both(journal: Path) -> None:
    arguments = {"journal": str(journal)}
    jobs = [
        enqueue_job(
            kind=probe_handlers.SIGN, arguments=arguments, study=None, created_by=None, now=timezone.now()
        )
        for _ in range(JOBS)
    ]
    states = Counter(wait_until_over(job.pk).state for job in jobs)
    assert states == {JobState.DONE: JOBS}
    done = [line.split(":") for line in journal.read_text().split()]
    assert sorted(int(job) for job, _ in done) == sorted(job.pk for job in jobs)
    assert len({process for _, process in done}) == 2
    assert set(Job.objects.filter(kind=probe_handlers.SIGN).values_list("attempts", flat=True)) == {1}


def _told_to_be_well(services: ComposeServices) -> None:
    """All but the schedule, which takes minutes to write down what it sent."""
    told = json.loads(services.manage("instance_status", "--json", "--free-gb", "0").stdout)
    levels = {each["about"]: each["level"] for each in told["findings"] if each["about"] != "schedule"}
    assert set(levels.values()) == {"OK"} and {"jobs", "sync", "broker", *SERVERS} < set(levels), told


def _backed_up(services: ComposeServices, target: Path) -> None:
    """Label Studio's database is found beside Attune's without being named."""
    done = services.manage("back_up", str(target))
    assert done.returncode == 0, done.stderr
    (backup,) = target.glob("attune-*")
    manifest = read_manifest(backup)
    assert manifest.label_studio is not None
    assert manifest.label_studio.rows["task_completion"] == 1
    assert manifest.database.rows[Submission._meta.db_table] == 1
