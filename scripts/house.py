"""Measures the tree: import cycles between the backend's apps, lines, short modules, and ML work (`make house`).

An app is a package directly below `backend/`, or below one of its stages. Migrations and Label Studio's overlay, which
runs in another process, are left out of the imports; `__init__.py` is no module here.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

STAGES = ("core", "design", "annotate", "decide", "learn", "publish", "operate")
SHORT = 30
# How the ML backend is asked for work, how that is done by workers, and labelling from end to end, with its pages
ML_WORK = (
    "learning/tasks/",
    "learning/labelling/",
    "ml_backend/worker/",
    "ml_backend/pools/",
    "ml_backend/labelling/",
    "backend/core/ml_tasks/",
    "backend/publish/labelling/",
)
# What of it carries work to whoever does it, and brings it back
CARRIES = (
    "learning/tasks/",
    *(f"learning/labelling/{name}.py" for name in ("folder", "staging", "sealing")),
    *(
        f"ml_backend/worker/{name}.py"
        for name in ("arguments", "kinds", "process", "training_cell", "watchdog")
    ),
    "ml_backend/pools/",
    "ml_backend/labelling/driver.py",
    "ml_backend/tasks.py",
    "ml_backend/processes.py",
    "backend/core/ml_tasks/",
    *(f"backend/publish/labelling/{name}.py" for name in ("following", "running", "staging")),
)
Graph = Mapping[str, set[str]]


def main(root: Path) -> None:
    modules = [Path(line) for line in _git(root, "ls-files", "*.py") if (root / line).exists()]
    ours = [path for path in modules if path.parts[0] != "tests"]
    graph = app_imports(root, ours)
    lines = {path: len((root / path).read_text().splitlines()) for path in ours}
    written = [path for path in ours if path.name != "__init__.py" and "migrations" not in path.parts]
    rows = (
        ("apps in an import cycle", sum(len(cycle) for cycle in cycles(graph))),
        ("pairs of apps that import each other", len(mutual_pairs(graph))),
        ("Python lines outside tests", sum(lines.values())),
        (f"modules under {SHORT} lines", sum(lines[path] < SHORT for path in written)),
        ("modules", len(written)),
        ("lines of ML work", lines_below(lines, ML_WORK)),
        ("modules of ML work", sum(path.as_posix().startswith(ML_WORK) for path in written)),
        ("lines of what carries ML work", lines_below(lines, CARRIES)),
        ("of these, pools of workers, with Ray", lines_below(lines, ("ml_backend/pools/",))),
    )
    for name, value in rows:
        print(f"{value:7,d}  {name}")


def lines_below(lines: Mapping[Path, int], places: tuple[str, ...]) -> int:
    """Of the modules in these folders, and of these modules; migrations left out.

    >>> lines_below({Path("a/b.py"): 3, Path("a/migrations/c.py"): 5, Path("ab/c.py"): 7}, ("a/",))
    3
    """
    counted = [path for path in lines if "migrations" not in path.parts]
    return sum(lines[path] for path in counted if path.as_posix().startswith(places))


def app_imports(root: Path, modules: Iterable[Path]) -> Graph:
    """By app of the backend: the apps that it imports."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for path in modules:
        app = app_of(path.with_suffix("").parts)
        if app is None or "migrations" in path.parts or "overlay" in path.parts:
            continue
        for name in imported_names((root / path).read_text()):
            other = app_of(tuple(name.split(".")))
            if other not in (None, app) and (root / "backend" / str(other).replace(".", "/")).is_dir():
                found[app].add(str(other))
    return found


def app_of(parts: tuple[str, ...]) -> str | None:
    """
    >>> app_of(("backend", "core", "jobs", "models")), app_of(("backend", "web", "views")), app_of(("corpus",))
    ('core.jobs', 'web', None)
    """
    if len(parts) < 3 or parts[0] != "backend":
        return None
    return f"{parts[1]}.{parts[2]}" if parts[1] in STAGES else parts[1]


def imported_names(source: str) -> list[str]:
    """
    >>> imported_names("import os.path\\nfrom backend.web import forms")
    ['os.path', 'backend.web.forms']
    """
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [f"{node.module}.{name.name}" for name in node.names]
    return found


def mutual_pairs(graph: Graph) -> set[tuple[str, str]]:
    """
    >>> mutual_pairs({"a": {"b", "c"}, "b": {"a"}})
    {('a', 'b')}
    """
    return {(a, b) for a, others in graph.items() for b in others if a < b and a in graph.get(b, set())}


def cycles(graph: Graph) -> list[set[str]]:
    """Sets of apps in which each reaches each.

    >>> cycles({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == [{"b", "c"}]
    True
    """
    reached = {app: _reachable(graph, app) for app in graph}
    found: list[set[str]] = []
    for app in graph:
        cycle = {other for other in reached[app] if app in reached.get(other, set())}
        if cycle and cycle not in found:
            found.append(cycle)
    return found


def _reachable(graph: Graph, start: str) -> set[str]:
    seen: set[str] = set()
    ahead = list(graph.get(start, set()))
    while ahead:
        app = ahead.pop()
        if app not in seen:
            seen.add(app)
            ahead += graph.get(app, set())
    return seen


def _git(root: Path, *words: str) -> list[str]:
    return subprocess.run(
        ["git", "-C", str(root), *words], check=True, capture_output=True, text=True
    ).stdout.splitlines()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1])
