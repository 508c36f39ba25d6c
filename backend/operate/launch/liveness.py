"""Loaded by each worker: leaves a file of its name once it takes work, and renews it for as long as it listens.

The embedded broker carries no ping; and a file that grows old tells of a worker that lives and hears nothing.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from celery.signals import heartbeat_sent, worker_ready
from django.conf import settings

from backend.operate.instance.workplace import Workplace


def leave_sign_of_life(sender: Any, **others: object) -> None:
    sign = _sign_of(sender.hostname)
    sign.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    sign.touch()


def renew_sign_of_life(sender: Any, **others: object) -> None:
    """The first beats come before the worker takes work, so they leave no sign."""
    with suppress(FileNotFoundError):
        os.utime(_sign_of(sender.eventer.hostname))


def _sign_of(hostname: str) -> Path:
    name, _, _ = hostname.partition("@")
    return Workplace(settings.DATA_DIR).ready_sign(name)


worker_ready.connect(leave_sign_of_life)
heartbeat_sent.connect(renew_sign_of_life)
