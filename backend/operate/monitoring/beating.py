"""The schedule of beat, with a sign of life: a process whose schedule stands still looks like one that beats."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django_celery_beat.schedulers import DatabaseScheduler

from backend.operate.instance.workplace import Workplace


class WatchedScheduler(DatabaseScheduler):  # type: ignore[misc]
    def apply_async(self, *args: Any, **options: Any) -> Any:
        """The sign is renewed whenever the broker has taken a message, which is every few seconds."""
        sent = super().apply_async(*args, **options)
        sign = Workplace(settings.DATA_DIR).ready_sign("beat")
        sign.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        sign.touch()
        return sent
