"""Copies a study's codebook and settings into a new study."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from backend.core.accounts.models import User
from backend.core.jobs.terminal import study_named
from backend.core.studies.services import StudyError
from backend.operate.lifecycle.services import copy_study


class Command(BaseCommand):
    help = "Start a study with the codebook and the settings of another one; no texts, no answers."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")
        parser.add_argument("name", help="The name of the copy.")
        parser.add_argument(
            "--by", required=True, metavar="USER", help="Whose study it is: their log-in name."
        )
        parser.add_argument("--members", action="store_true", help="With the members and their roles.")

    def handle(self, *args: Any, **options: Any) -> None:
        study, actor = study_named(options["study"]), User.objects.filter(username=options["by"]).first()
        if actor is None:
            raise CommandError(f"Nobody here logs in as {options['by']!r}.")
        try:
            copy = copy_study(
                study=study,
                name=options["name"],
                with_members=options["members"],
                actor=actor,
                now=timezone.now(),
            )
        except StudyError as problem:
            raise CommandError(str(problem)) from problem
        self.stdout.write(f"{copy.name} is there, as {copy.slug}.")
