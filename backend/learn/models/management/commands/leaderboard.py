"""Prints the leaderboard of a release."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.http import Http404

from annotation.release.rows import SplitPart
from backend.core.jobs.terminal import study_named
from backend.decide.releases.selectors import release_numbered
from backend.learn.models.boards import CONTENT_TYPES, board_of, export_board


class Command(BaseCommand):
    help = "Print what the adapters of a release reach, theme by theme, as CSV or LaTeX."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")
        parser.add_argument("release", type=int, help="Number of the release.")
        parser.add_argument("--format", choices=[*CONTENT_TYPES], default="csv")
        parser.add_argument("--part", choices=["validation", "test"], default="test")
        parser.add_argument("--every", action="store_true", help="Every adapter, not the best of each kind.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            release = release_numbered(study_named(options["study"]), options["release"])
        except Http404 as problem:
            raise CommandError(str(problem)) from problem
        board = board_of(release, SplitPart(options["part"]), every=options["every"])
        if board is None:
            raise CommandError("No adapter of this release was measured on that part: train one first.")
        self.stdout.write(export_board(board, options["format"]), ending="")
