"""Who wants to know when an adapter enters or leaves service; other apps register, so that this one need not know
them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from backend.core.studies.models import Study
from backend.learn.models.models import Adapter

Entering = Callable[[Study, "Adapter | None", datetime], None]
_callbacks: list[Entering] = []


def on_entering_service(callback: Entering) -> Entering:
    """It is called with the study, the adapter in service (None if there is none now) and the time, within the
    transaction of the change: what it enqueues is there if and only if the change is. It must do nothing slow."""
    if callback not in _callbacks:
        _callbacks.append(callback)
    return callback


def tell_of_entering(study: Study, adapter: Adapter | None, now: datetime) -> None:
    for callback in _callbacks:
        callback(study, adapter, now)
