"""The ML backend's commands among those of Django."""

from __future__ import annotations

import sys
from typing import Any, ClassVar

from django.core.management.base import BaseCommand, CommandError

from backend.learn.models.ml_process import run_ml_backend


class MlCommand(BaseCommand):
    """A command that the ML backend reads and explains by itself, so that its options are written down once."""

    ml_command: ClassVar[str]

    def run_from_argv(self, argv: list[str]) -> None:
        sys.exit(run_ml_backend([self.ml_command, *argv[2:]]))

    def print_help(self, prog_name: str, subcommand: str) -> None:
        run_ml_backend([self.ml_command, "--help"])

    def handle(self, *args: Any, **options: Any) -> None:
        """Reached by no command line: those go through `run_from_argv`."""
        raise CommandError(
            "This command reads its own options: start it from a terminal, or call run_ml_backend."
        )
