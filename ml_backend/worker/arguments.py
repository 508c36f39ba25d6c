"""What `task` can be asked, apart from the other commands because it loads nothing large to read it."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

TASK = """Work on a task that lies in a folder: train, examine, probe, predict, label or measure as its request.json
says, and leave result.json or failure.txt. The ML backend's worker starts this by itself."""


def task_parser() -> ArgumentParser:
    command = ArgumentParser(prog="ml_backend task", description=TASK)
    command.add_argument("folder", type=Path, metavar="FOLDER", help="folder with a request.json")
    command.add_argument(
        "--with-parent",
        action="store_true",
        help="stop as soon as standard input ends, with whoever holds it",
    )
    return command
