"""Brings the suggestions of open batches up to date."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from backend.core.jobs.terminal import study_named
from backend.learn.prelabels.errors import NothingToPush
from backend.learn.prelabels.services import push_batch, push_everywhere


class Command(BaseCommand):
    help = (
        "Show what the adapter in service suggests in a study's open batches. Attune does it by itself, too."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")
        parser.add_argument("--batch", help="The name of one batch; without it, all that are in work.")

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        if options["batch"] is None:
            jobs = push_everywhere(study=study, actor=None, now=timezone.now())
        else:
            batch = study.batches.filter(name=options["batch"]).select_related("study", "edition").first()
            if batch is None:
                names = ", ".join(repr(each.name) for each in study.batches.all()) or "none"
                raise CommandError(f"There is no batch {options['batch']!r}. The study has: {names}.")
            try:
                jobs = [push_batch(batch=batch, actor=None, now=timezone.now())]
            except NothingToPush as problem:
                raise CommandError(str(problem)) from problem
        for job in jobs:
            self.stdout.write(f"Job {job.pk} brings the suggestions up to date.")
        if not jobs:
            self.stdout.write("No batch in work gets suggestions.")
