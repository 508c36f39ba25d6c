"""What is found out about one thing, and how bad it is; the levels are the exit codes that Nagios and others read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import IntEnum


class Level(IntEnum):
    OK = 0
    WARNING = 1
    CRITICAL = 2


@dataclass(frozen=True)
class Finding:
    """`says` is for people: what is the case and, if that is not well, what to look at."""

    about: str
    level: Level
    says: str


@dataclass(frozen=True)
class Limits:
    """Beyond which something is not well."""

    job_waits: timedelta = timedelta(hours=1)
    sweep_pauses: timedelta = timedelta(minutes=5)
    failed_within: timedelta = timedelta(hours=24)
    poll_pauses: timedelta = timedelta(minutes=5)
    # The schedule writes down what it sent every three minutes
    beat_pauses: timedelta = timedelta(minutes=10)
    messages_wait: int = 200
    free_bytes: int = 10 * 1024**3
    backup_age: timedelta = timedelta(hours=26)


def worst(findings: Sequence[Finding]) -> Level:
    return max((finding.level for finding in findings), default=Level.OK)
