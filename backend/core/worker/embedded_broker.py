"""A Celery broker that needs no server: one directory of messages, each written and taken by a rename.

kombu's own file transport creates a message's file and then fills it, so a reader can take it while it is
empty, and the worker dies of that; a rename is all or nothing.
"""

from __future__ import annotations

import json
import os
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from queue import Empty

from kombu.transport import virtual

Payload = dict[str, object]
# How Celery is told of it, here and in the ML backend's environment
EMBEDDED_BROKER = f"{__name__}:Transport"


class Channel(virtual.Channel):
    """Queues are suffixes of file names; names sort by the time of writing."""

    @property
    def _folder(self) -> Path:
        return Path(self.connection.client.transport_options["folder"])

    def _put(self, queue: str, message: Payload, **kwargs: object) -> None:
        name = f"{time.time_ns():020d}-{uuid.uuid4().hex}"
        draft = self._folder / f"{name}.draft"
        draft.write_text(json.dumps(message))
        draft.rename(self._folder / f"{name}.{queue}.msg")

    def _get(self, queue: str, timeout: float | None = None) -> Payload:
        for file in sorted(self._messages(queue)):
            taken = file.with_suffix(f".taken-{os.getpid()}")
            try:
                file.rename(taken)
            except FileNotFoundError:
                continue
            payload: Payload = json.loads(taken.read_text())
            taken.unlink()
            return payload
        raise Empty

    def _size(self, queue: str) -> int:
        return sum(1 for _ in self._messages(queue))

    def _purge(self, queue: str) -> int:
        files = list(self._messages(queue))
        for file in files:
            file.unlink(missing_ok=True)
        return len(files)

    def _messages(self, queue: str) -> Iterator[Path]:
        return self._folder.glob(f"*.{queue}.msg")


class Transport(virtual.Transport):
    Channel = Channel
    can_parse_url = True
    polling_interval = 0.1
    driver_type = "embedded"
    driver_name = "embedded"

    def driver_version(self) -> str:
        return "1"
