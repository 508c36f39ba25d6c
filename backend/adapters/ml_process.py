"""Starts the ML backend's commands in a fresh process: nothing here imports torch, and its memory comes back."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, ClassVar

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError


def run_ml_backend(arguments: Sequence[str]) -> int:
    """Output and errors go where ours go; paths are those of the caller. Gives back the exit code."""
    paths = [str(settings.ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, "-m", "ml_backend", *arguments]
    return subprocess.run(command, env=environment, check=False).returncode


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
