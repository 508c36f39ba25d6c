"""Checks a codebook file without adding it to a study."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from codebook.editions import edition_hash
from codebook.loader import load_codebook
from codebook.problems import CodebookError


class Command(BaseCommand):
    help = "Check a codebook file: prints its hash, or every problem with its line and what would be right."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            codebook = load_codebook(options["file"])
        except CodebookError as found:
            raise CommandError(str(found)) from found
        codes = sum(len(question.codes) for question in codebook.questions)
        self.stdout.write(f"{codebook.title}: {len(codebook.questions)} questions, {codes} codes")
        self.stdout.write(edition_hash(codebook))
