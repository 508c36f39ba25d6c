"""Keeps what was worked out from rows for as long as the rows are the same; threads of one process share it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

from django.db.models import Count, Max, Model, QuerySet, Sum

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
Fingerprint = tuple[object, ...]
REMEMBERED = 8
_all: list[LruCache[object, object]] = []


class LruCache(Generic[K, V]):
    """What was asked for last stays."""

    def __init__(self, most: int = REMEMBERED) -> None:
        self._most, self._lock = most, threading.Lock()
        self._known: OrderedDict[K, V] = OrderedDict()
        _all.append(self)  # type: ignore[arg-type]

    def recall(self, key: K) -> V | None:
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
            return self._known.get(key)

    def keep(self, key: K, value: V) -> None:
        with self._lock:
            self._known[key] = value
            self._known.move_to_end(key)
            while len(self._known) > self._most:
                self._known.popitem(last=False)

    def forget(self) -> None:
        with self._lock:
            self._known.clear()


def forget() -> None:
    """For whoever puts another database under a running process."""
    for memories in _all:
        memories.forget()


def fingerprint(rows: QuerySet[Model]) -> Fingerprint:
    """Of rows that are added and deleted but never changed: their numbers tell whether they are the same."""
    found = rows.order_by().aggregate(n=Count("pk"), last=Max("pk"), sum=Sum("pk"))
    return tuple(found.values())
