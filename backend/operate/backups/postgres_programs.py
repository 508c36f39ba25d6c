"""Runs PostgreSQL's own programs; passwords go by the environment, because command lines can be read by anybody."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from backend.operate.backups.errors import ProgramFailed, ProgramMissing


def run_program(name: str, arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    done = subprocess.run(
        [found_program(name), *arguments],
        env=dict(environment),
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        raise ProgramFailed(name, complaint(name, done.stderr))
    return done.stdout


def program_version(name: str) -> int:
    """The major one.

    >>> _major("pg_dump (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)")
    15
    """
    said = run_program(name, ["--version"], {"PATH": "/usr/bin:/bin"})
    return _major(said)


def _major(said: str) -> int:
    found = re.search(r"\) (\d+)", said)
    return int(found.group(1)) if found else 0


def found_program(name: str) -> str:
    """Debian keeps some off the PATH, in one folder per version."""
    on_path = shutil.which(name)
    if on_path:
        return on_path
    folders = sorted(
        Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: path.parts[-3].zfill(4)
    )
    if not folders:
        raise ProgramMissing(name)
    return str(folders[-1])


def complaint(name: str, said: str) -> str:
    """The first thing that it names as an error; never the lines after it, which may quote what is in a row."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    named = [line for line in lines if "error:" in line.lower() or "fatal:" in line.lower()]
    return (named or lines or [""])[0].removeprefix(f"{name}: ")[:300]
