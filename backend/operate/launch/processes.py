"""The processes of an embedded instance: what each is called, how it starts, and when it counts as ready."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from django.conf import settings

from backend.annotate.label_studio.process import LabelStudioInstance, command_line, process_environment
from backend.core.worker.embedded_broker import EMBEDDED_BROKER
from backend.operate.instance.workplace import Workplace
from backend.operate.launch.health import answers, label_studio_answers
from backend.operate.launch.ports import LOOPBACK

# The path without its query: what people search for does not belong into a log.
ACCESS_LOG = "%(m)s %(U)s %(s)s %(M)s ms"
CELERY = ("-m", "celery", "--quiet", "-A")
OURS, ML = "backend.celery", "ml_backend.celery"
# Each worker has its own queue and nothing to tell the others.
ALONE = ("--without-gossip", "--without-mingle")
# The warning is about pickled messages; ours are JSON, so root in a container is as safe as anyone.
NO_ROOT_WARNING = "ignore:You're running the worker with superuser privileges"


@dataclass(frozen=True)
class ProcessSpec:
    """One process to run under the launcher."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    is_ready: Callable[[], bool]


def web(port: int, environment: Mapping[str, str]) -> ProcessSpec:
    server = ("-m", "gunicorn", "backend.wsgi", "--bind", f"{LOOPBACK}:{port}")
    size = ("--worker-class", "gthread", "--workers", "2", "--threads", "4", "--graceful-timeout", "3")
    logs = ("--no-control-socket", "--access-logfile", "-", "--access-logformat", ACCESS_LOG)
    ready = partial(answers, f"http://{LOOPBACK}:{port}/health")
    return ProcessSpec("web", _python(*server, *size, *logs), _unbuffer(environment), ready)


def worker(workplace: Workplace, environment: Mapping[str, str]) -> ProcessSpec:
    """Does the jobs, of which some take hours: two may follow what the ML backend works on while others are done."""
    return _worker("worker", settings.JOB_QUEUE, 4, workplace, environment)


def sync(workplace: Workplace, environment: Mapping[str, str]) -> ProcessSpec:
    """Reads what annotators do, and never waits behind a job."""
    return _worker("sync", settings.SYNC_QUEUE, 2, workplace, environment)


def ml(workplace: Workplace, environment: Mapping[str, str]) -> ProcessSpec:
    """Computes what takes long or needs large libraries; it is told where the broker is and nothing else of ours."""
    command = (*CELERY, ML, "worker", "--loglevel", settings.LOG_LEVEL, "--hostname", "ml@%h")
    sign = workplace.ready_sign("ml")
    own_environment = {**_of_worker(environment), **_ml_broker(), "ML_READY_SIGN": str(sign)}
    return ProcessSpec("ml", _python(*command, *ALONE), own_environment, sign.exists)


def ml_server(port: int, password: str, environment: Mapping[str, str]) -> ProcessSpec:
    """Answers Label Studio's questions for predictions. One process, so that an adapter is in memory once."""
    server = ("-m", "gunicorn", "ml_backend.server.wsgi", "--bind", f"{LOOPBACK}:{port}")
    size = ("--worker-class", "gthread", "--workers", "1", "--threads", "4", "--timeout", "120")
    logs = ("--no-control-socket", "--access-logfile", "-", "--access-logformat", ACCESS_LOG)
    own_environment = {
        **_unbuffer(environment),
        "ML_ADAPTERS_DIR": str(settings.ADAPTERS_DIR),
        "ML_SERVER_PASSWORD": password,
    }
    ready = partial(answers, f"http://{LOOPBACK}:{port}/health")
    return ProcessSpec("ml-server", _python(*server, *size, *logs), own_environment, ready)


def _ml_broker() -> dict[str, str]:
    if not settings.BROKER_URL.startswith("filesystem:"):
        return {"BROKER_URL": settings.BROKER_URL}
    return {"ML_BROKER_TRANSPORT": EMBEDDED_BROKER, "ML_BROKER_FOLDER": str(settings.BROKER_DIR)}


def _worker(
    name: str, queue: str, threads: int, workplace: Workplace, environment: Mapping[str, str]
) -> ProcessSpec:
    size = ("worker", "--queues", queue, "--concurrency", str(threads), "--hostname", f"{name}@%h")
    command = (*CELERY, OURS, *size, "--include", "backend.operate.launch.liveness", *ALONE)
    sign = workplace.ready_sign(name)
    return ProcessSpec(name, _python(*command), _of_worker(environment), sign.exists)


def beat(workplace: Workplace, environment: Mapping[str, str]) -> ProcessSpec:
    command = (*CELERY, OURS, "beat", "--pidfile", str(workplace.beat_pid))
    return ProcessSpec("beat", _python(*command), _unbuffer(environment), workplace.beat_pid.exists)


def label_studio(
    instance: LabelStudioInstance, secrets_file: Path, environment: Mapping[str, str]
) -> ProcessSpec:
    own_environment = process_environment(instance, environment)
    ready = partial(label_studio_answers, f"http://{LOOPBACK}:{instance.port}", instance.token, secrets_file)
    return ProcessSpec("label-studio", tuple(command_line(instance)), own_environment, ready)


def _python(*arguments: str) -> tuple[str, ...]:
    return (sys.executable, *arguments)


def _of_worker(environment: Mapping[str, str]) -> dict[str, str]:
    return {**_unbuffer(environment), "PYTHONWARNINGS": NO_ROOT_WARNING}


def _unbuffer(environment: Mapping[str, str]) -> dict[str, str]:
    """Lines reach the log when they are written, not when a buffer is full."""
    return {**environment, "PYTHONUNBUFFERED": "1"}
