"""Celery's door to schedules: both tasks may run at any time, together and any number of times."""

from __future__ import annotations

from django.utils import timezone

from backend.celery import app
from backend.retraining import services
from backend.retraining.beat import LOOK
from backend.retraining.claiming import start_if_due


@app.task(name=LOOK)  # type: ignore[untyped-decorator]
def look(study_id: int) -> None:
    start_if_due(study_id=study_id, now=timezone.now())


@app.task(name="retraining.catch_up")  # type: ignore[untyped-decorator]
def catch_up() -> None:
    services.catch_up(now=timezone.now())
