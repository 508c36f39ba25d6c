"""Each direct dependency earns its place in the docs."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_docs_name_every_direct_dependency() -> None:
    docs = (ROOT / "docs/dependencies.md").read_text().lower()
    for name in ("app.in", "cluster.in", "dev.in", "label-studio.in", "generative.txt"):
        lines = (ROOT / f"requirements/{name}").read_text().splitlines()
        packages = [
            re.split(r"[=\[]", line)[0].lower() for line in lines if line and not line.startswith(("#", "-r"))
        ]
        assert packages
        assert [package for package in packages if package not in docs] == []


def test_every_requirement_is_pinned_exactly() -> None:
    for path in (ROOT / "requirements").iterdir():
        lines = [line for line in path.read_text().splitlines() if line and not line.startswith(("#", "-r"))]
        assert [line for line in lines if not re.fullmatch(r"[\w.-]+(\[\w+\])?==[\w.+!-]+", line)] == []
