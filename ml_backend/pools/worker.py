"""What a worker does, wherever it runs: it loads once, and runs one cell after another."""

from __future__ import annotations

import importlib
import os
import socket
import time
from collections.abc import Callable
from typing import Any

from ml_backend.pools.interface import Work


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


class CellRunner:
    """Runs the cells of one work, one after another; setting up counts as time of the first."""

    def __init__(self, work: Work) -> None:
        self._since = time.monotonic()
        function = find_function(work.function)
        self._arguments = () if work.setup is None else (find_function(work.setup)(work.shared),)
        self._function = function
        self._is_first = True

    def run(self, payload: bytes) -> tuple[bytes, float]:
        """The result, and how many seconds it took."""
        since = self._since if self._is_first else time.monotonic()
        content = self._function(*self._arguments, payload)
        self._is_first = False
        return content, time.monotonic() - since


def worker_name() -> str:
    return f"{socket.gethostname()}-{os.getpid()}"
