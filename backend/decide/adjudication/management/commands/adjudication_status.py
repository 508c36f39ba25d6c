"""Prints what is left to settle in a study."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from backend.core.jobs.terminal import study_named
from backend.decide.adjudication.choosing import LABELS
from backend.decide.adjudication.queue import queue_for
from backend.decide.adjudication.queue_rows import refresh_queue
from backend.decide.adjudication.rounds import rounds_agreement
from backend.decide.adjudication.selectors import due_rounds


class Command(BaseCommand):
    help = "Print how many items of a study are settled, what is left and why."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        refresh_queue(study)
        found = queue_for(None, study)
        self.stdout.write(f"{found.settled} of {found.total} settled")
        for reason, n in found.counts().items():
            if n:
                self.stdout.write(f"  {LABELS[reason].lower()}: {n}")
        self.stdout.write(f"{len(due_rounds(study))} await a second or reconciling decision")
        self.stdout.write(f"{found.with_annotators} disputed, still with annotators")
        agreement = rounds_agreement(study)
        if agreement.share is not None:
            self.stdout.write(
                f"{agreement.items} decided twice: {agreement.share:.1%} of {agreement.codes} codes alike"
            )
