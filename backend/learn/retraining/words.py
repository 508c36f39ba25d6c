"""What pages, commands and notices say about schedules and runs."""

from __future__ import annotations

from calendar import day_name

from django.conf import settings

from backend.learn.retraining.models import RetrainingRun, RetrainingSchedule, ScheduleKind


def schedule_words(schedule: RetrainingSchedule) -> str:
    """In one sentence without its full stop."""
    if not schedule.is_on:
        return "Off"
    hour = f"{schedule.hour:02d}:00 ({settings.TIME_ZONE})"
    match ScheduleKind(schedule.kind):
        case ScheduleKind.NIGHTLY:
            return f"Every night at {hour}"
        case ScheduleKind.WEEKLY:
            return f"Every {day_name[schedule.weekday]} at {hour}"
        case _:
            return f"Whenever {schedule.enough:,} new final judgments have come in"


def in_a_sentence(words: str) -> str:
    """After a colon, where names keep their capitals.

    >>> in_a_sentence("Every Monday at 04:00 (UTC)")
    'every Monday at 04:00 (UTC)'
    """
    return f"{words[:1].lower()}{words[1:]}"


def sentence(words: str) -> str:
    """What a notice says behind a name, alone."""
    return f"{words[:1].upper()}{words[1:]}"


def occasion_words(run: RetrainingRun) -> str:
    """Who or what started it."""
    if run.started_by is not None:
        return str(run.started_by)
    if run.occasion.startswith("by hand"):
        return "Somebody at the terminal"
    return "New judgments" if run.occasion.startswith("new judgments") else f"Schedule, {run.occasion}"
