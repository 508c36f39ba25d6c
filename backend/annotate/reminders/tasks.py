"""Celery's door to reminders; it may run at any time, together with others and any number of times."""

from __future__ import annotations

from django.utils import timezone

from backend.celery import app


@app.task(name="reminders.send")  # type: ignore[untyped-decorator]
def send() -> None:
    from backend.annotate.reminders.services import send_reminders

    send_reminders(now=timezone.now())
