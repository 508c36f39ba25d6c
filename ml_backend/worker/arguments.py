"""What `order` can be asked, apart from the other commands because it loads nothing large to read it."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

ORDER = """Work on an order that lies in a folder: train, examine or predict as its order.json says, and leave
answer.json or failure.txt. The ML backend's worker starts this by itself."""


def order_parser() -> ArgumentParser:
    command = ArgumentParser(prog="ml_backend order", description=ORDER)
    command.add_argument("folder", type=Path, metavar="FOLDER", help="folder with an order.json")
    command.add_argument(
        "--with-parent",
        action="store_true",
        help="stop as soon as standard input ends, with whoever holds it",
    )
    return command
