"""Writes a study's gold answers as a file that import_gold reads."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from backend.annotate.practice.files import GoldForm, gold_file
from backend.core.jobs.terminal import study_named
from backend.design.codebooks.errors import NoCodebook
from backend.design.codebooks.selectors import edition_in_force


class Command(BaseCommand):
    help = (
        "Write the gold answers under the newest edition, as a file that import_gold reads. It quotes texts."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")
        parser.add_argument("--format", choices=[form.value for form in GoldForm], default="yaml")

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        try:
            edition = edition_in_force(study)
        except NoCodebook as problem:
            raise CommandError(str(problem)) from problem
        self.stdout.write(gold_file(edition, GoldForm(options["format"])), ending="")
