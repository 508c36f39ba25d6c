"""Celery's door to schedules: both tasks may run at any time, together and any number of times.

What they do is loaded when they first do it: every worker and beat load this module at their start.
"""

from __future__ import annotations

from django.utils import timezone

from backend.celery import app
from backend.learn.retraining.beat import LOOK


@app.task(name=LOOK)  # type: ignore[untyped-decorator]
def look(study_id: int) -> None:
    from backend.learn.retraining.claiming import start_if_due

    start_if_due(study_id=study_id, now=timezone.now())


@app.task(name="retraining.catch_up")  # type: ignore[untyped-decorator]
def catch_up() -> None:
    from backend.learn.retraining import services

    services.catch_up(now=timezone.now())
