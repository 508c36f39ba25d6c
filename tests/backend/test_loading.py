"""What commands and processes load when they start: libraries that take long come where they are used."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NEEDED_BY_JOBS = frozenset(
    {"httpx", "label_studio_sdk", "lxml", "py7zr", "scipy", "sklearn", "matplotlib", "statsmodels", "torch"}
    | {"transformers"}
)
NEEDED_BY_DATA = frozenset({"numpy", "pandas", "polars", "pyarrow"})
SETUP = "import django\ndjango.setup()\n"
COMMAND = (
    "from django.core.management import execute_from_command_line\n"
    "try:\n    execute_from_command_line(['manage.py', *{}])\nexcept SystemExit:\n    pass\n"
)
CELERY = "from backend.celery import app\napp.loader.import_default_modules()\n"
WEB = "import backend.wsgi\nfrom django.urls import get_resolver\nget_resolver().url_patterns\n"


def modules(code: str, folder: Path) -> frozenset[str]:
    """All that is loaded once the code has run."""
    environment = {name: value for name, value in os.environ.items() if name != "CELERY_SKIP_CHECKS"} | {
        "ATTUNE_DATA_DIR": str(folder),
        "DJANGO_SETTINGS_MODULE": "backend.settings",
    }
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return frozenset(done.stdout.splitlines()[-1].split())


def packages(found: frozenset[str]) -> frozenset[str]:
    return frozenset(name.partition(".")[0] for name in found)


@pytest.mark.parametrize("command", ["agreement", "consensus"])
def test_a_command_that_explains_itself_loads_nothing_that_jobs_need(command: str, tmp_path: Path) -> None:
    """Fewer modules than this take well under a second; it was 1,550 before."""
    found = modules(COMMAND.format([command, "--help"]), tmp_path)
    assert "django" in found and not packages(found) & (NEEDED_BY_JOBS | {"polars"})
    assert len(found) < 1_250


def test_the_models_load_no_library_of_data(tmp_path: Path) -> None:
    found = modules(SETUP, tmp_path)
    assert "backend.publish.reports.models" in found
    assert not packages(found) & (NEEDED_BY_JOBS | NEEDED_BY_DATA)


def test_workers_and_beat_start_without_the_pages_and_without_what_jobs_need(tmp_path: Path) -> None:
    found = modules(CELERY, tmp_path)
    assert {
        "backend.core.jobs.tasks",
        "backend.annotate.sync.tasks",
        "backend.learn.retraining.tasks",
    } <= found
    assert not packages(found) & (NEEDED_BY_JOBS | NEEDED_BY_DATA)
    assert not [name for name in found if name.startswith("backend.") and name.endswith((".urls", ".views"))]


def test_the_web_process_starts_without_what_jobs_need(tmp_path: Path) -> None:
    found = modules(WEB, tmp_path)
    assert "backend.api.urls" in found
    assert not packages(found) & NEEDED_BY_JOBS


def test_most_pages_need_no_polars(tmp_path: Path) -> None:
    """Those of corpora and reports, and the planner that reads reports, still bring it to the web process."""
    with_polars = {"corpora", "reports", "planning"}
    found = sorted((ROOT / "backend").glob("*/*/urls.py")) + sorted((ROOT / "backend").glob("*/*/api.py"))
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in found]
    others = [name for name in names if name.split(".")[2] not in with_polars]
    assert "backend.design.samples.urls" in others and len(others) > 20
    code = SETUP + "\n".join(
        f"import {name}" for name in ["backend.overview.urls", "backend.api.errors", *others]
    )
    assert "polars" not in packages(modules(code, tmp_path))
