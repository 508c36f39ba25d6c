"""Loaded by the worker: leaves a file once it takes work, because the embedded broker cannot carry a ping."""

from __future__ import annotations

from celery.signals import worker_ready
from django.conf import settings

from backend.launch.workplace import Workplace


def leave_sign_of_life(**_: object) -> None:
    sign = Workplace(settings.DATA_DIR).worker_ready
    sign.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    sign.touch()


worker_ready.connect(leave_sign_of_life)
