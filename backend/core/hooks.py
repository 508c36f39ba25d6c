"""How an earlier stage reaches a later one without importing it.

The stage that asks owns a `Hook`; the stages that answer add the dotted path of a function to it in their
`AppConfig.ready`. The function is imported when the hook is first called, so a process loads only what it uses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, ParamSpec, TypeVar

from django.utils.module_loading import import_string

P = ParamSpec("P")
R = TypeVar("R")


class Hook(Generic[P, R]):
    """Calls every function that was added, in the order of the installed apps."""

    def __init__(self) -> None:
        self.paths: list[str] = []

    def add(self, path: str) -> None:
        if path not in self.paths:
            self.paths.append(path)

    def functions(self) -> list[Callable[P, R]]:
        return [import_string(path) for path in self.paths]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> list[R]:
        return [function(*args, **kwargs) for function in self.functions()]


# Called with the job's number once the request is committed, whether or not a worker follows the job, and again if
# the job ends by that without the worker that held it
job_cancelled: Hook[[int], None] = Hook()
