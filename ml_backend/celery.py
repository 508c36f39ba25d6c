"""The Celery app of the ML backend: messages tell it what to do, files hold what it reads and writes.

Everything is configured by the environment, so that it knows nothing of whoever sends the messages.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from celery import Celery
from celery.signals import heartbeat_sent, worker_ready

from ml_backend.broker import broker_configuration
from ml_backend.pools.choice import uses_cluster

QUEUE = "ml"
# A file to leave once messages are taken, and to renew while they are; the embedded broker carries no ping
READY_SIGN = "ML_READY_SIGN"
LOG_FORMAT = "%(asctime)s %(levelname)-7s %(name)s: %(message)s"


def configuration() -> dict[str, object]:
    return {
        **broker_configuration(os.environ),
        "broker_connection_retry_on_startup": True,
        "accept_content": ["json"],
        "task_serializer": "json",
        "result_backend": None,
        "result_expires": None,
        "task_ignore_result": True,
        "task_default_queue": QUEUE,
        "imports": ["ml_backend.tasks"],
        # A worker holds no more messages than it works on, so that an idle one is never kept waiting.
        "task_acks_late": True,
        "worker_prefetch_multiplier": 1,
        "worker_enable_remote_control": False,
        # Libraries with threads of their own can deadlock in a forked child.
        "worker_pool": "threads",
        # A training, a labelling, a prediction, and room for what takes seconds: none waits behind the other.
        # Trainings on a cluster go on beside each other.
        "worker_concurrency": 12 if uses_cluster(os.environ) else 4,
        "worker_redirect_stdouts": False,
        "worker_log_format": LOG_FORMAT,
        "worker_task_log_format": LOG_FORMAT,
        "timezone": "UTC",
    }


app = Celery("attune-ml")
# Asked for when the app is first used: whoever only looks at this module needs no broker.
app.add_defaults(configuration)


def leave_sign_of_life(**_: object) -> None:
    place = os.environ.get(READY_SIGN)
    if place:
        sign = Path(place)
        sign.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        sign.touch()


def renew_sign_of_life(**_: object) -> None:
    """The first beats come before messages are taken, so they leave no sign."""
    place = os.environ.get(READY_SIGN)
    if place:
        with suppress(FileNotFoundError):
            os.utime(place)


worker_ready.connect(leave_sign_of_life)
heartbeat_sent.connect(renew_sign_of_life)
