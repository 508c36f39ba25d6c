"""Celery's door to the sync: both tasks may run at any time, together and any number of times.

What they do is loaded when they first do it: every worker and beat load this module at their start.
"""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from backend.celery import app


@app.task(name="sync.poll")  # type: ignore[untyped-decorator]
def poll() -> None:
    from backend.annotate.label_studio.client import connect
    from backend.annotate.sync.polling import poll_all

    poll_all(connect(), clock=timezone.now)


@app.task(name="sync.take_webhook")  # type: ignore[untyped-decorator]
def take_webhook(marker: str, received_at: str) -> None:
    """A webhook is dropped when the project was read after it was given; what fails is left to the next poll."""
    from backend.annotate.label_studio.client import connect
    from backend.annotate.label_studio.errors import LabelStudioError
    from backend.annotate.sync.models import ProjectState
    from backend.annotate.sync.polling import read_after_webhook
    from backend.annotate.sync.selectors import projects_with_work

    project = projects_with_work().filter(marker=marker, state=ProjectState.READY).first()
    given = datetime.fromisoformat(received_at)
    if project is None or (project.polled_at is not None and project.polled_at > given):
        return
    try:
        read_after_webhook(project, connect(), clock=timezone.now)
    except LabelStudioError:
        return
