"""Reads the savings meter of a study from the terminal."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from backend.core.jobs.terminal import await_job, study_named
from backend.learn.active_learning.queue import N_NEXT, WORTHWHILE, request_reading
from backend.learn.active_learning.selectors import latest_reading
from backend.learn.active_learning.words import reading_lines


class Command(BaseCommand):
    help = "Say what active learning has gained over random in a study so far, and whether to go on."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")
        parser.add_argument(
            "--next", type=int, default=N_NEXT, help=f"Advice on so many labels; default {N_NEXT}."
        )
        parser.add_argument(
            "--worthwhile",
            type=float,
            default=WORTHWHILE,
            help=f"What they must add at least, as a share of 1; default {WORTHWHILE}.",
        )
        parser.add_argument("--wait", type=float, default=600, help="Seconds to wait; 0: only ask for it.")
        parser.add_argument(
            "--latest", action="store_true", help="Print the newest reading; measure nothing."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        if not options["latest"]:
            job = request_reading(
                study=study,
                actor=None,
                now=timezone.now(),
                n_next=options["next"],
                worthwhile=options["worthwhile"],
            )
            if not options["wait"]:
                self.stdout.write(f"Job {job.pk} reads the meter.")
                return
            await_job(job, options["wait"])
        found = latest_reading(study)
        if found is None:
            raise CommandError("The meter was not read yet: leave --latest out.")
        self.stdout.write("\n".join(reading_lines(found[1])))
