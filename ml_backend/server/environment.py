"""What the server is told, by the environment alone; its password never appears in an error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ADAPTERS, USER, PASSWORD, THREADS = (
    "ML_ADAPTERS_DIR",
    "ML_SERVER_USER",
    "ML_SERVER_PASSWORD",
    "ML_SERVER_THREADS",
)
DEFAULT_USER, SHORTEST_PASSWORD, MOST_THREADS = "attune", 16, 64


class ServerMisconfigured(ValueError):
    """A variable is missing or holds what the server cannot use."""


@dataclass(frozen=True, slots=True)
class ServerEnvironment:
    """`threads` is how many torch computes one answer with."""

    adapters: Path
    user: str
    password: str = field(repr=False)
    threads: int = 1


def read_environment(variables: Mapping[str, str]) -> ServerEnvironment:
    adapters, password = variables.get(ADAPTERS, ""), variables.get(PASSWORD, "")
    threads = variables.get(THREADS) or "1"
    if not adapters:
        raise ServerMisconfigured(f"{ADAPTERS} is missing: name the folder that holds the studies' adapters.")
    if len(password) < SHORTEST_PASSWORD:
        raise ServerMisconfigured(
            f"{PASSWORD} is missing or too short: it needs at least {SHORTEST_PASSWORD} characters."
        )
    if not threads.isdecimal() or not 1 <= int(threads) <= MOST_THREADS:
        raise ServerMisconfigured(
            f"{THREADS}={threads!r} is not allowed: it takes a whole number from 1 to {MOST_THREADS}."
        )
    return ServerEnvironment(Path(adapters), variables.get(USER) or DEFAULT_USER, password, int(threads))
