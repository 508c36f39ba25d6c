"""Pours what pg_restore writes into psql, so that a database that is restored needs no room on this disk."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from tempfile import TemporaryFile
from typing import IO

from annotation.release.manifest import CHUNK
from backend.operate.backups.errors import OutcomeUnknown, ProgramFailed
from backend.operate.backups.postgres_programs import complaint, found_program

# What psql ends with after an error in what it was given, if it was told to stop there
SCRIPT_ERROR = 3


def load_script(
    restoring: Sequence[str], running: Sequence[str], environment: Mapping[str, str], *, first: str
) -> None:
    """The script of pg_restore in one transaction after `first`, which psql is told to commit only if pg_restore has
    ended well. Raises OutcomeUnknown if psql is lost after it was told."""
    with TemporaryFile() as gave_up, TemporaryFile() as refused:
        script = subprocess.Popen(
            [found_program("pg_restore"), *restoring],
            env=dict(environment),
            stdout=subprocess.PIPE,
            stderr=gave_up,
        )
        psql = subprocess.Popen(
            [found_program("psql"), *running],
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=refused,
        )
        with script, psql:
            told_to_commit = _pour(script, psql, f"BEGIN; {first}\n")
        if script.returncode > 0:
            raise ProgramFailed("pg_restore", _last_words("pg_restore", gave_up))
        if psql.returncode and told_to_commit and psql.returncode != SCRIPT_ERROR:
            raise OutcomeUnknown("psql", _last_words("psql", refused))
        if not told_to_commit or psql.returncode:
            raise ProgramFailed("psql", _last_words("psql", refused))


def _pour(script: subprocess.Popen[bytes], psql: subprocess.Popen[bytes], first: str) -> bool:
    """Whether psql was told to commit: not if either of the two has ended early."""
    assert script.stdout is not None and psql.stdin is not None
    try:
        with psql.stdin as taking:
            taking.write(first.encode())
            shutil.copyfileobj(script.stdout, taking, CHUNK)
            if script.wait() != 0:
                return False
            taking.write(b"\nCOMMIT;\n")
    except BrokenPipeError:
        # So that it does not complain that nobody reads on
        script.kill()
        return False
    return True


def _last_words(name: str, stderr: IO[bytes]) -> str:
    stderr.seek(0)
    return complaint(name, stderr.read().decode(errors="replace"))
