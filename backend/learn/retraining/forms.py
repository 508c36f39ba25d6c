"""What people choose about retraining."""

from __future__ import annotations

from calendar import day_name
from typing import Any

from django import forms

from backend.learn.retraining.models import USUAL_LEARNER, RetrainingSchedule, ScheduleKind
from backend.learn.retraining.services import Plan
from learning.learners.registry import LEARNERS

OFF = "off"
KINDS = (
    (OFF, "Never by itself", "Somebody starts each run by hand."),
    (
        ScheduleKind.NIGHTLY,
        "Every night",
        "At the hour below; a night on which nothing is new trains nothing.",
    ),
    (ScheduleKind.WEEKLY, "Once a week", "On the day and at the hour below."),
    (ScheduleKind.JUDGMENTS, "When enough is new", "As soon as so many new final judgments have come in."),
)
DEFAULTS = {"kind": OFF, "hour": 2, "weekday": 6, "enough": 100, "learner": USUAL_LEARNER}


class ScheduleForm(forms.Form):
    kind = forms.ChoiceField(
        label="When to retrain",
        choices=[(value, label) for value, label, _ in KINDS],
        widget=forms.RadioSelect,
    )
    hour = forms.TypedChoiceField(
        coerce=int,
        choices=[(hour, f"{hour:02d}:00") for hour in range(24)],
        help_text="On the clock of this instance.",
    )
    weekday = forms.TypedChoiceField(
        label="Day", coerce=int, choices=list(enumerate(day_name)), help_text="For once a week."
    )
    enough = forms.IntegerField(
        label="New final judgments",
        min_value=1,
        max_value=1_000_000,
        help_text="For when enough is new: items that were adjudicated, or on which all their annotators agree.",
    )

    learner = forms.ChoiceField(
        label="What to train",
        choices=[(each.name, each.title) for each in LEARNERS],
        help_text="With its usual options; calls and commands can give others.",
    )

    continues = forms.BooleanField(
        label="Begin from the model in service",
        required=False,
        help_text="It goes on learning, if it is of this kind; otherwise training begins anew.",
    )

    def plan(self, current: RetrainingSchedule | None) -> Plan:
        """Options that were set elsewhere stay, as long as the learner does."""
        chosen = self.cleaned_data
        options = current.options if current and current.learner == chosen["learner"] else {}
        is_on = chosen["kind"] != OFF
        kind = ScheduleKind(chosen["kind"]) if is_on else ScheduleKind.NIGHTLY
        return Plan(
            kind,
            chosen["hour"],
            chosen["weekday"],
            chosen["enough"],
            is_on=is_on,
            learner=chosen["learner"],
            options=options,
            continues=chosen["continues"],
        )


def initial_of(schedule: RetrainingSchedule | None) -> dict[str, Any]:
    if schedule is None:
        return DEFAULTS
    return {
        "kind": schedule.kind if schedule.is_on else OFF,
        "hour": schedule.hour,
        "weekday": schedule.weekday,
        "enough": schedule.enough,
        "learner": schedule.learner,
        "continues": schedule.continues,
    }
