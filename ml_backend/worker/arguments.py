"""What `task` and `label` can be asked, apart from the other commands because it loads nothing large to read it."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

TASK = """Work on a task that lies in a folder: train, examine or predict as its request.json says, and leave
result.json or failure.txt. The ML backend's worker starts this by itself."""
LABEL = """Take part in a labelling run whose work lies in a folder: take shards one after another, as its request.json
says, until none is left. The ML backend's worker starts this by itself, as often as ML_LABEL_PROCESSES says."""


def worker_parser(name: str, description: str) -> ArgumentParser:
    command = ArgumentParser(prog=f"ml_backend {name}", description=description)
    command.add_argument("folder", type=Path, metavar="FOLDER", help="folder with a request.json")
    command.add_argument(
        "--with-parent",
        action="store_true",
        help="stop as soon as standard input ends, with whoever holds it",
    )
    return command
