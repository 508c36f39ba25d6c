"""The docs name every command of ours, and only those."""

from __future__ import annotations

import re
from pathlib import Path

from django.core.management import get_commands, load_command_class

ROOT = Path(__file__).resolve().parents[2]
OURS = {name: app for name, app in get_commands().items() if str(app).startswith("backend.")}


def test_the_docs_list_exactly_the_commands_that_there_are() -> None:
    documented = set(
        re.findall(r"^\| `(\w+)[^`]*` \|", (ROOT / "docs/commands.md").read_text(), re.MULTILINE)
    )
    assert documented == set(OURS)


def test_every_command_explains_itself() -> None:
    for name, app in OURS.items():
        assert load_command_class(str(app), name).help
