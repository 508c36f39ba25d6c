"""Removes a study and everything in it."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from backend.annotate.label_studio.client import connect
from backend.annotate.label_studio.errors import LabelStudioError
from backend.annotate.sync.erasure import erase_projects
from backend.core.jobs.terminal import study_named
from backend.operate.erasure.services import StudyBusy, erase_study, refuse_busy_study


class Command(BaseCommand):
    help = "Delete a study with all that belongs to it, here and in Label Studio. It cannot be undone."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")
        parser.add_argument(
            "--confirm", required=True, metavar="NAME", help="The study's full name, to be sure."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        if options["confirm"] != study.name:
            raise CommandError(f"Nothing was deleted: the study's name is {study.name!r}.")
        try:
            refuse_busy_study(study)
            erase_projects(study, connect())
            erase_study(study=study)
        except (StudyBusy, LabelStudioError) as problem:
            raise CommandError(f"Nothing was deleted here: {problem}") from problem
        self.stdout.write(f"{study.name} is deleted.")
