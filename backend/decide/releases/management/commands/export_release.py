"""Writes a release as other annotation tools read it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.exchange.documents import NoTexts
from annotation.exchange.registry import FORMATS, export_files
from annotation.release.read import ReleaseBroken


class Command(BaseCommand):
    help = (
        "Write the texts, labels and highlights of a release for Label Studio, brat, INCEpTION or as CoNLL."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("release", type=Path, help="the folder of a release with texts")
        parser.add_argument("out", type=Path, help="a folder that is not there yet")
        parser.add_argument("--format", required=True, choices=list(FORMATS))

    def handle(self, *args: Any, **options: Any) -> None:
        out: Path = options["out"]
        if out.exists():
            raise CommandError(f"{out} is there already: name another folder, or remove it.")
        try:
            files = list(export_files(options["release"], options["format"]))
        except (ReleaseBroken, NoTexts) as problem:
            raise CommandError(str(problem)) from problem
        out.mkdir(parents=True)
        for name, content in files:
            (out / name).write_bytes(content)
        self.stdout.write(f"{len(files):,} files in {out}.")
