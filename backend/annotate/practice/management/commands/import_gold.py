"""Imports gold answers from the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from backend.annotate.practice.errors import PracticeError
from backend.annotate.practice.services import import_gold
from backend.core.jobs.terminal import study_named
from backend.design.codebooks.errors import NoCodebook
from backend.design.codebooks.selectors import edition_in_force


class Command(BaseCommand):
    help = (
        "Import gold answers from a YAML or JSON Lines file: all of it, or nothing and every problem with its line. "
        "Importing the same file again changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")
        parser.add_argument("file", type=Path, help="Ends in .yaml, .yml, .jsonl or .ndjson.")

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        file: Path = options["file"]
        try:
            imported = import_gold(
                study=study,
                edition=edition_in_force(study),
                source=file.read_text(encoding="utf-8"),
                file_name=file.name,
                actor=study.created_by,
                now=timezone.now(),
            )
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise CommandError(f"{file} is not UTF-8: save it as UTF-8.") from error
        except (PracticeError, NoCodebook) as problem:
            raise CommandError(str(problem)) from problem
        for note in imported.notes:
            self.stdout.write(note)
        self.stdout.write(imported.summary)
