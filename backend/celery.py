"""The Celery app: it only carries wake-up messages; what there is to do stands in the job rows."""

from __future__ import annotations

import os

from celery import Celery
from celery.signals import setup_logging, worker_ready, worker_shutting_down
from django.conf import settings

from backend.core.worker import WORKER_IS_STOPPING
from backend.core.worker.embedded_broker import EMBEDDED_BROKER

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.settings")
# They would load every page of the web process into each worker and into beat: seconds, for what the tests check
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

SWEEP_SECONDS = 10.0
POLL_SECONDS = 15.0
CATCH_UP_SECONDS = 30.0
REMIND_SECONDS = 3600.0
# A running job keeps its message unacknowledged; a second delivery meanwhile would be harmless but useless.
VISIBILITY_SECONDS = 12 * 3600


def _broker_configuration() -> dict[str, object]:
    if not settings.BROKER_URL.startswith("filesystem:"):
        patience = {"socket_connect_timeout": 2, "socket_timeout": 30, "max_retries": 1, "interval_start": 0}
        return {"broker_transport_options": {"visibility_timeout": VISIBILITY_SECONDS, **patience}}
    settings.BROKER_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    return {
        "broker_transport": EMBEDDED_BROKER,
        "broker_transport_options": {"folder": str(settings.BROKER_DIR)},
    }


app = Celery("attune")
app.conf.update(
    broker_url=settings.BROKER_URL,
    broker_connection_retry_on_startup=True,
    accept_content=["json"],
    task_serializer="json",
    result_backend=None,
    result_expires=None,
    task_ignore_result=True,
    # A worker holds no more messages than it runs, so that an idle one is never kept waiting.
    task_acks_late=True,
    worker_prefetch_multiplier=1,
    worker_enable_remote_control=False,
    # Threads: one flag in this process reaches every running job, which then hands itself back; and a library
    # with threads of its own can deadlock in a forked child.
    worker_pool="threads",
    worker_concurrency=2,
    worker_redirect_stdouts=False,
    timezone=settings.TIME_ZONE,
    beat_scheduler="django_celery_beat.schedulers:DatabaseScheduler",
    beat_schedule={
        "jobs.sweep": {
            "task": "jobs.sweep",
            "schedule": SWEEP_SECONDS,
            "options": {"expire_seconds": SWEEP_SECONDS},
        },
        "sync.poll": {
            "task": "sync.poll",
            "schedule": POLL_SECONDS,
            "options": {"expire_seconds": POLL_SECONDS},
        },
        "retraining.catch_up": {
            "task": "retraining.catch_up",
            "schedule": CATCH_UP_SECONDS,
            "options": {"expire_seconds": CATCH_UP_SECONDS},
        },
        "reminders.send": {
            "task": "reminders.send",
            "schedule": REMIND_SECONDS,
            "options": {"expire_seconds": REMIND_SECONDS},
        },
    },
    # Annotators' work must not wait behind an hour of training: it is read by a worker of its own.
    task_routes={"sync.*": {"queue": settings.SYNC_QUEUE}, "ml.*": {"queue": settings.ML_QUEUE}},
    **_broker_configuration(),
)
app.autodiscover_tasks()


def keep_logging_of_django(**_: object) -> None:
    """Being connected is enough: Celery then leaves the logging of settings.py alone."""


def sweep_at_start(**_: object) -> None:
    """What an earlier worker left behind need not wait for the schedule."""
    app.send_task("jobs.sweep")
    app.send_task("retraining.catch_up")


def hand_jobs_back(**_: object) -> None:
    """Without this a worker that is told to stop would first finish its jobs, which may take hours."""
    WORKER_IS_STOPPING.set()


setup_logging.connect(keep_logging_of_django)
worker_ready.connect(sweep_at_start)
worker_shutting_down.connect(hand_jobs_back)
