"""Archives a study, or restores it."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from backend.core.jobs.terminal import study_named
from backend.core.studies.services import StudyError
from backend.operate.lifecycle.services import archive_study, restore_study


class Command(BaseCommand):
    help = "Archive a study, so that it can only be read, or bring it back."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")
        parser.add_argument("--restore", action="store_true", help="Bring it back from the archive.")

    def handle(self, *args: Any, **options: Any) -> None:
        study, change = study_named(options["study"]), restore_study if options["restore"] else archive_study
        try:
            change(study=study, actor=None, now=timezone.now())
        except StudyError as problem:
            raise CommandError(str(problem)) from problem
        self.stdout.write(f"{study.name} is {'restored' if options['restore'] else 'archived'}.")
