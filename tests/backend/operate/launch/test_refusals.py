"""A disk that is full or closed and a database that is away are told in a sentence, never by a traceback."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from backend.operate.launch.refusals import of_database, why_it_cannot_start

ROOT = Path(__file__).resolve().parents[4]
SQLITE = {"ENGINE": "django.db.backends.sqlite3", "NAME": "/data/attune.sqlite3"}


def ended(*command: str, **variables: str) -> str:
    """What a program that cannot start says."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("ATTUNE_")}
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=own | variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.parametrize(
    "command",
    [("-m", "backend.operate.launch"), ("-m", "backend.operate.launch.prepare"), ("manage.py", "migrate")],
)
def test_a_data_directory_that_cannot_be_made(command: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said = ended(*command, ATTUNE_DATA_DIR=str(tmp_path / "file" / "data"))
    assert "cannot be written to (Not a directory). Make it writable for this user, or choose another" in said


@pytest.mark.parametrize("command", [("-m", "backend.operate.launch.prepare"), ("manage.py", "migrate")])
def test_a_database_that_is_away(command: tuple[str, ...], tmp_path: Path) -> None:
    address = "postgres://attune:very-secret@127.0.0.1:1/attune"
    said = ended(*command, ATTUNE_DATA_DIR=str(tmp_path), DATABASE_URL=address)
    assert "the database attune at 127.0.0.1:1 cannot be reached" in said
    assert "very-secret" not in said


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk(number: int) -> None:
    said = why_it_cannot_start(OSError(number, os.strerror(number), "/data/secrets.json"))
    assert said == (
        "the disk of /data/secrets.json is full. Make room on it, or choose another directory with ATTUNE_DATA_DIR."
    )


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ("database or disk is full", "is full"),
        ("attempt to write a readonly database", "cannot be written to"),
        ("unable to open database file", "cannot be written to"),
    ],
)
def test_what_sqlite_says(error: str, words: str) -> None:
    said = of_database(error, SQLITE)
    assert said is not None
    assert words in said and "/data/attune.sqlite3" in said


def test_a_fault_of_ours_is_seen_whole() -> None:
    assert of_database("no such table: jobs_job", SQLITE) is None
    assert why_it_cannot_start(FileNotFoundError(errno.ENOENT, "No such file", "/x")) is None
    assert why_it_cannot_start(ValueError("x")) is None
