"""docs/architecture.md names files and functions that exist."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from backend.settings import INSTALLED_APPS

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`([^`\s]+)`", PAGE)))
FILES = [name for name in NAMED if re.fullmatch(r"[\w.]+(/[\w.]*)+", name) and not name.startswith("/")]
FUNCTIONS = [
    name
    for name in NAMED
    if re.fullmatch(r"(backend|ml_backend|annotation|learning|corpus|analysis)(\.\w+){2,}", name)
]
ROOMS = ("annotation/", "learning/", "backend/")


def test_it_names_some() -> None:
    assert len(FILES) > 20 and len(FUNCTIONS) > 20


@pytest.mark.parametrize("name", FILES)
def test_files_are_there(name: str) -> None:
    below = [ROOT, *(ROOT / room for room in ROOMS), ROOT / "tests"]
    assert any((folder / name).exists() for folder in below), f"{name} is named and not there"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_are_there(name: str) -> None:
    module, _, function = name.rpartition(".")
    assert hasattr(import_module(module), function), f"{name} is named and not there"


def test_every_app_stands_in_its_stage() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|$", PAGE, re.MULTILINE))
    for app in INSTALLED_APPS:
        match app.split("."):
            case ["backend", stage, name]:
                assert re.search(rf"\b{name}\b", rows[stage]), f"{app} is missing from the table of stages"
