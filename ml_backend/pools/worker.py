"""What a worker does, wherever it runs: it loads once, runs one cell after another, and answers with messages."""

from __future__ import annotations

import importlib
import os
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ml_backend.failures import reason_of
from ml_backend.pools.interface import Work


@dataclass(frozen=True, slots=True)
class Ready:
    """The worker has loaded what it needs. `name` is for people, `machine` is where it runs."""

    name: str
    machine: str


@dataclass(frozen=True, slots=True)
class Told:
    """Something that the cell in hand has for the driver."""

    content: bytes


@dataclass(frozen=True, slots=True)
class Done:
    """Of the cell that was sent to the worker first."""

    content: bytes
    seconds: float


@dataclass(frozen=True, slots=True)
class Raised:
    """The function raised on the cell that was sent first, or the setup if the worker is not ready yet."""

    reason: str


Message = Ready | Told | Done | Raised
Tell = Callable[[Told], None]


class UnknownFunction(ValueError):
    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name} is no function at the top of a module: name it as package.module.function, and see that all "
            "machines run the same version."
        )


def find_function(name: str) -> Callable[..., Any]:
    """
    >>> find_function("math.sqrt")(9.0)
    3.0
    """
    module, _, function = name.rpartition(".")
    try:
        found = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise UnknownFunction(name) from error
    if not callable(found):
        raise UnknownFunction(name)
    return found  # type: ignore[no-any-return]


class Worker:
    """Runs the cells of one work, one after another; loading counts as time of the first."""

    def load(self, work: Work) -> Ready | Raised:
        self._since: float | None = time.monotonic()
        self._tells = work.tells
        try:
            self._function = find_function(work.function)
            self._loaded = () if work.setup is None else (find_function(work.setup)(work.shared),)
        except Exception as problem:
            return Raised(reason_of(problem))
        machine = socket.gethostname()
        return Ready(f"{machine}-{os.getpid()}", machine)

    def run(self, payload: bytes, tell: Tell) -> Done | Raised:
        since, self._since = self._since or time.monotonic(), None
        more = (lambda content: tell(Told(content)),) if self._tells else ()
        try:
            content = self._function(*self._loaded, payload, *more)
        except Exception as problem:
            return Raised(reason_of(problem))
        return Done(content, time.monotonic() - since)
