"""Production is strict, and the docs name every setting."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
PRODUCTION = {
    "ATTUNE_MODE": "production",
    "ATTUNE_SECRET_KEY": "k8" * 30 + "Zq!x",
    "ATTUNE_PSEUDONYM_KEY": "p" * 40,
    "ATTUNE_LABEL_STUDIO_TOKEN": "0" * 40,
    "ATTUNE_ALLOWED_HOSTS": "attune.example",
    "ATTUNE_PUBLIC_URL": "https://attune.example",
}


def manage(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("ATTUNE_", "DJANGO_"))
    }
    environment["ATTUNE_DATA_DIR"] = str(settings.DATA_DIR)
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment | variables,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_docs_list_exactly_the_settings_that_there_are() -> None:
    documented = set(re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / "docs/settings.md").read_text(), re.MULTILINE))
    assert documented == set(settings.SETTING_NAMES)


def test_the_deploy_check_is_clean_in_production() -> None:
    done = manage("check", "--deploy", "--fail-level", "WARNING", **PRODUCTION)
    assert done.returncode == 0, done.stderr


def test_production_does_not_start_without_its_secrets() -> None:
    for missing in ("ATTUNE_SECRET_KEY", "ATTUNE_PSEUDONYM_KEY", "ATTUNE_LABEL_STUDIO_TOKEN"):
        done = manage("check", **{**PRODUCTION, missing: "hunter2"})
        assert done.returncode != 0
        assert missing in done.stderr
        assert "hunter2" not in done.stderr


def test_a_bad_value_stops_the_start_with_its_name_and_what_is_allowed() -> None:
    done = manage("check", ATTUNE_WEB_PORT="eighty")
    assert done.returncode != 0
    assert "ATTUNE_WEB_PORT='eighty' is not allowed: it takes a whole number from 1 to 65535." in done.stderr


def test_migrations_are_complete() -> None:
    done = manage("makemigrations", "--check", "--dry-run")
    assert done.returncode == 0, done.stdout
