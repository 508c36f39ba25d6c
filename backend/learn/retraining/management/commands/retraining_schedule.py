"""Shows and changes from the terminal when a study retrains."""

from __future__ import annotations

from calendar import day_name
from dataclasses import replace
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from backend.core.jobs.terminal import study_named
from backend.learn.retraining.errors import RetrainingError
from backend.learn.retraining.models import USUAL_LEARNER, ScheduleKind
from backend.learn.retraining.selectors import coming_occasion, new_final_judgments, schedule_of
from backend.learn.retraining.services import Plan, change_schedule
from backend.learn.retraining.words import schedule_words
from learning.learners.registry import LEARNERS

DAYS = [name.lower() for name in day_name]


class Command(BaseCommand):
    help = "Print when a study retrains by itself, or set it with --nightly, --weekly, --judgments or --off."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")
        chosen = parser.add_mutually_exclusive_group()
        chosen.add_argument("--nightly", action="store_true", help="Every night at --hour.")
        chosen.add_argument("--weekly", choices=DAYS, metavar="DAY", help="Every such day at --hour.")
        chosen.add_argument("--judgments", type=int, metavar="N", help="When N new final judgments are in.")
        chosen.add_argument("--off", action="store_true", help="Only by hand.")
        parser.add_argument(
            "--hour", type=int, default=2, help="On the clock of the instance; 2 if not given."
        )

        parser.add_argument(
            "--learner",
            default=USUAL_LEARNER,
            choices=[each.name for each in LEARNERS],
            help=f"What to train; {USUAL_LEARNER} if not given.",
        )
        parser.add_argument(
            "--from-service",
            action="store_true",
            help="Begin from the adapter in service, if it is of this learner.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        plan, now = _plan(options), timezone.now()
        try:
            schedule = (
                change_schedule(study=study, plan=plan, actor=None, now=now) if plan else schedule_of(study)
            )
        except RetrainingError as problem:
            raise CommandError(str(problem)) from problem
        self.stdout.write(schedule_words(schedule) if schedule else "Off")
        coming = coming_occasion(schedule, now=now) if schedule else None
        if coming:
            self.stdout.write(f"Next: {timezone.localtime(coming.at):%A %d %B %Y, %H:%M %Z}")
        self.stdout.write(f"New final judgments since the last run: {new_final_judgments(study):,}")


def _plan(options: dict[str, Any]) -> Plan | None:
    """None if nothing is to be changed."""
    asked = Plan(
        ScheduleKind.NIGHTLY,
        hour=options["hour"],
        learner=options["learner"],
        continues=options["from_service"],
    )
    if options["off"]:
        return replace(asked, is_on=False)
    if options["nightly"]:
        return asked
    if options["weekly"]:
        return replace(asked, kind=ScheduleKind.WEEKLY, weekday=DAYS.index(options["weekly"]))
    if options["judgments"] is not None:
        return replace(asked, kind=ScheduleKind.JUDGMENTS, enough=options["judgments"])
    return None
