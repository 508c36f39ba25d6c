"""Loaded by each worker: leaves a file of its name once it takes work; the embedded broker carries no ping."""

from __future__ import annotations

from typing import Any

from celery.signals import worker_ready
from django.conf import settings

from backend.launch.workplace import Workplace


def leave_sign_of_life(sender: Any, **others: object) -> None:
    name, _, _ = sender.hostname.partition("@")
    sign = Workplace(settings.DATA_DIR).ready_sign(name)
    sign.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    sign.touch()


worker_ready.connect(leave_sign_of_life)
