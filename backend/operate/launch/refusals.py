"""What keeps an instance or a command from starting that is no fault of ours, as a sentence that says what to do."""

from __future__ import annotations

import errno
from collections.abc import Mapping

FULL = (errno.ENOSPC, errno.EDQUOT)
CLOSED = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR)
ELSEWHERE = "or choose another directory with ATTUNE_DATA_DIR"


def why_it_cannot_start(problem: Exception) -> str | None:
    """None for what should be seen whole."""
    if isinstance(problem, OSError) and problem.errno in (*FULL, *CLOSED):
        place = problem.filename or "the data directory"
        if problem.errno in FULL:
            return f"the disk of {place} is full. Make room on it, {ELSEWHERE}."
        return (
            f"{place} cannot be written to ({problem.strerror}). Make it writable for this user, {ELSEWHERE}."
        )
    if type(problem).__name__ == "OperationalError":
        from django.conf import settings

        return of_database(str(problem), settings.DATABASES["default"])
    return None


def of_database(said: str, database: Mapping[str, object]) -> str | None:
    """Told by what SQLite and PostgreSQL say, because Django gives every trouble with them one name."""
    if str(database["ENGINE"]).endswith("postgresql"):
        where = f"{database['HOST'] or 'localhost'}:{database['PORT'] or 5432}"
        if "connection" in said or "translate host name" in said or "resolve" in said:
            return (
                f"the database {database['NAME']} at {where} cannot be reached: see that PostgreSQL runs there and "
                f"that DATABASE_URL names it. It says: {said.splitlines()[0]}"
            )
        return None
    if "full" in said:
        return f"the disk of {database['NAME']} is full. Make room on it, {ELSEWHERE}."
    if "readonly" in said or "unable to open" in said:
        return f"{database['NAME']} cannot be written to. Make it writable for this user, {ELSEWHERE}."
    return None
