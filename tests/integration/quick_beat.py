"""The schedule of Attune's beat, faster: `celery -A tests.integration.quick_beat beat`, for tests have no time to wait.

Everything else of it is real: the process, the scheduler in the database, the messages and when they expire.
"""

from __future__ import annotations

from backend.celery import app

SECONDS = {"jobs.sweep": 1.0, "sync.poll": 2.0, "retraining.catch_up": 2.0, "reminders.send": 2.0}

__all__ = ["SECONDS", "app"]

app.conf.beat_schedule = {
    name: {**planned, "schedule": SECONDS[name]} for name, planned in app.conf.beat_schedule.items()
}
