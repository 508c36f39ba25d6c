"""What `label` can be asked, apart from the other commands because it loads nothing large to read it."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

LABEL = """Take part in a labelling run whose work lies in a folder: take shards one after another, as its order.json
says, until none is left. The ML backend's worker starts this by itself, as often as ML_LABEL_PROCESSES says."""


def label_parser() -> ArgumentParser:
    command = ArgumentParser(prog="ml_backend label", description=LABEL)
    command.add_argument("folder", type=Path, metavar="FOLDER", help="folder with an order.json")
    command.add_argument(
        "--with-parent",
        action="store_true",
        help="stop as soon as standard input ends, with whoever holds it",
    )
    return command
