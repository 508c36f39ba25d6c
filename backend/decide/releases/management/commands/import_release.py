"""Imports a release from the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from annotation.release.read import ReleaseBroken
from backend.core.jobs.terminal import study_named
from backend.decide.releases.errors import ReleaseError
from backend.decide.releases.importing import import_release
from backend.design.codebooks.errors import EditionError


class Command(BaseCommand):
    help = (
        "Import a release into a study: verified, copied, with its items and, if the study has no codebook, its "
        "edition. The labels and the hash stay the same. Importing it again changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument("study", help="The study's short name, as in its address.")

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        folder: Path = options["folder"]
        if not folder.is_dir():
            raise CommandError(f"{folder} is no folder.")
        try:
            release = import_release(study=study, folder=folder, actor=study.created_by, now=timezone.now())
        except (ReleaseBroken, ReleaseError, EditionError, OSError) as problem:
            raise CommandError(f"Nothing was imported: {problem}") from problem
        items = f"{release.counts['items']:,} items"
        self.stdout.write(f"Release {release.number}, “{release.name}”: {items}, {release.hash}")
