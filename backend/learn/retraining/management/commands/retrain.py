"""Starts a retraining from the terminal and says what came of it."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from backend.core.jobs.terminal import study_named
from backend.learn.retraining.claiming import start_by_hand
from backend.learn.retraining.ending import close_abandoned_runs
from backend.learn.retraining.errors import RetrainingError
from backend.learn.retraining.models import RetrainingRun, RunState
from backend.learn.retraining.words import sentence

LOOK_EVERY_SECONDS = 0.5


class Command(BaseCommand):
    help = "Start a retraining of a study: release, training, examination, service. The workers of the instance do it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")
        parser.add_argument(
            "--wait", type=float, default=0, help="Seconds to wait for its end; 0: only start it."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        try:
            run = start_by_hand(study=study, actor=None, now=timezone.now())
        except RetrainingError as problem:
            raise CommandError(str(problem)) from problem
        self.stdout.write(f"Retraining {run.number} is started as job {run.job_id}.")
        if options["wait"]:
            self._follow(run, options["wait"])

    def _follow(self, run: RetrainingRun, patience: float) -> None:
        deadline, said = time.monotonic() + patience, ""
        while not run.is_over:
            if time.monotonic() > deadline:
                raise CommandError(f"Retraining {run.number} is not over after {patience:g} s. It goes on.")
            time.sleep(LOOK_EVERY_SECONDS)
            close_abandoned_runs(now=timezone.now())
            run.refresh_from_db()
            if run.job.progress_note != said:
                said = run.job.progress_note
                self.stderr.write(said)
        if run.state == RunState.FAILED:
            raise CommandError(sentence(run.words))
        self.stdout.write(sentence(run.words))
