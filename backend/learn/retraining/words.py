"""What pages, commands and notices say about schedules and runs."""

from __future__ import annotations

from calendar import day_name

from django.conf import settings

from backend.learn.models.models import PromotionReport
from backend.learn.retraining.models import RetrainingRun, RetrainingSchedule, ScheduleKind
from learning.promotion.verdict import CheckName, PromotionVerdict
from learning.scoring.values import Difference


def schedule_words(schedule: RetrainingSchedule) -> str:
    """In one sentence without its full stop."""
    if not schedule.is_on:
        return "Off"
    begins = ", beginning from the model in service" if schedule.continues else ""
    return f"{_occasion_words(schedule)}{begins}"


def _occasion_words(schedule: RetrainingSchedule) -> str:
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


def gain_words(report: PromotionReport, found: PromotionVerdict) -> str:
    """With whom it was compared, and by how much it is better, in points of the mean over themes."""
    than = "" if report.incumbent_id else " than always giving the most frequent answer"
    return f"the new model is better{than} by {points(found.gain)}"


def refusal_words(report: PromotionReport, found: PromotionVerdict) -> str:
    """The first thing that keeps it out."""
    missed = next((check for check in found.checks if not check.passed), None)
    if missed and missed.name is CheckName.BETTER and missed.passed is None:
        return f"the new model could not be compared. {missed.words}"
    if missed is None or missed.name is CheckName.BETTER:
        than = "" if report.incumbent_id else " than always giving the most frequent answer"
        clearly = "clearly " if found.gain and (found.gain.value or 0) > 0 else ""
        why = f" {found.gain.note}" if found.gain and found.gain.note else ""
        chance = f" {found.why_chance}" if found.why_chance else ""
        return f"the new model is not {clearly}better{than}: {points(found.gain)}.{chance}{why}"
    return f"the new model does not meet the promotion rule. {missed.name.value}? No: {missed.words}"


def points(gain: Difference | None) -> str:
    """With the interval, where there is one.

    >>> points(Difference(0.7, 0.669, 0.031, 0.008, 0.052, 0.02, None, ""))
    '3.1 points [0.8, 5.2]'
    """
    if gain is None or gain.value is None:
        return "it could not be measured"
    interval = (
        ""
        if gain.low is None or gain.high is None
        else f" [{_hundredths(gain.low)}, {_hundredths(gain.high)}]"
    )
    return f"{_hundredths(gain.value)} points{interval}"


def _hundredths(share: float) -> str:
    """Without a minus in front of nothing."""
    return f"{round(100 * share, 1) + 0.0:.1f}"
