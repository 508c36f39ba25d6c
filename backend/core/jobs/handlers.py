"""Which function does which kind of job; every app registers its own in a module named `job_handlers`.

These modules are imported when a job is first looked at: they need most libraries, and most commands need no job.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from django.utils.module_loading import autodiscover_modules

from backend.core.jobs.errors import UnknownJobKind
from backend.core.jobs.values import Json, JsonObject

if TYPE_CHECKING:
    from backend.core.jobs.context import JobContext

JobHandler: TypeAlias = "Callable[[JobContext, JsonObject], Json]"
_handlers: dict[str, JobHandler] = {}


def job_handler(kind: str) -> Callable[[JobHandler], JobHandler]:
    """Registers a function as the one that does jobs of this kind. It may run twice, so it must bear that."""

    def register(handler: JobHandler) -> JobHandler:
        if kind in _handlers:
            raise ValueError(f"Two handlers are registered for jobs of kind {kind!r}: remove one.")
        _handlers[kind] = handler
        return handler

    return register


def handler_for(kind: str) -> JobHandler:
    if kind not in _handlers:
        autodiscover_modules("job_handlers")
    try:
        return _handlers[kind]
    except KeyError:
        known = ", ".join(sorted(_handlers)) or "none"
        raise UnknownJobKind(f"No handler does jobs of kind {kind!r}; there are: {known}.") from None
