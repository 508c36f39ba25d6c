"""Writes a study's judgments as JSON Lines."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from backend.annotate.judgments.exports import json_lines
from backend.core.jobs.terminal import study_named


class Command(BaseCommand):
    help = "Write every submission of a study as JSON Lines: judgments by code, spans by offsets, no texts."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        for line in json_lines(study):
            self.stdout.write(line, ending="")
