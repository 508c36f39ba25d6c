"""Corrects estimates on any table of model labels with gold, for people who need only that."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from corpus.delimited import TableUnreadable


class Command(BaseCommand):
    help = (
        "Estimate a mean, groups, their difference and a slope from a model's labels and gold: naive, from gold alone,"
        " and corrected. A row per unit with gold (blank where it was not drawn), prediction, inclusion_probability;"
        " cluster, group, outcome and weight if you have them."
    )
    # It touches neither the database nor the settings that the checks look at.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="CSV with commas, semicolons or tabs; - for standard input")
        parser.add_argument("--format", choices=["text", "json"], default="text")
        parser.add_argument(
            "--between",
            nargs=2,
            metavar="GROUP",
            help="whose difference is asked for, the first less the second; with two groups, by name",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        # They load numpy and polars
        from analysis.corrected_table import correct_table
        from analysis.errors import NotAnalysable
        from analysis.labelled_table import read_labelled_table

        between = options["between"]
        try:
            table = read_labelled_table(_content(options["file"]))
            found = correct_table(table, (between[0], between[1]) if between else None)
        except (TableUnreadable, NotAnalysable) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(found.as_json() if options["format"] == "json" else found.as_text())


def _content(file: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}.") from error
