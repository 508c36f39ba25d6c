"""Keeps the lines of each process in a file, and shows them in one stream to those who ask."""

from __future__ import annotations

import os
import re
from collections import Counter
from logging import INFO, Formatter, LogRecord
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TextIO

from honcho.printer import Message, Printer

LAUNCHER = "attune"
_HONCHO = "system"
_MEGABYTE = 1024 * 1024
_ANSI = re.compile(r"\x1b\[[0-9;]*m")
# Asked for every few seconds by the launcher and by load balancers
_HEALTH_CHECK = re.compile(r"\b(GET|HEAD) /health\b.*\b200\b")
# What is said at every start or every few seconds, whatever happens: kept, not shown
_CHATTER = re.compile(
    r"^(=> (Hostname|Database|Static)|Read environment variables|get 'SECRET_KEY'|User \S+ already exists"
    r"|Normalized 0/0|\S+/\.env not found|Warning: SECRET_KEY not found)"
    r"|heidi-tips|\bjobs\.sweep\b|\bsync\.(poll|take_webhook)\b"
)
_OWN_TIME = re.compile(r"^\[?\d{4}-\d\d-\d\d[ T][\d:.,]+(?: [+-]\d{4})?\]? (?:\[\d+\] )?")


class LogPrinter(Printer):  # type: ignore[misc]
    """Honcho's printer with log files behind it; without `shows`, only the launcher's own words are on the screen."""

    def __init__(self, output: TextIO, directory: Path, *, shows: bool) -> None:
        super().__init__(output, colour="NO_COLOR" not in os.environ)
        self._directory = directory
        self._shows = shows
        self._files: dict[str, RotatingFileHandler] = {}
        self._counts: Counter[str] = Counter()
        self._last: dict[str, str] = {}

    def write(self, message: Message) -> None:
        if message.name == _HONCHO:
            return
        data = message.data
        text = data.decode("utf-8", "replace") if isinstance(data, bytes) else data
        for line in text.splitlines():
            if message.name == LAUNCHER:
                print(line, file=self.output, flush=True)
            elif not is_noise(line):
                self._keep(message.name, line)
                if self._shows and not _CHATTER.search(line):
                    super().write(message._replace(data=without_time(line)))

    def lines_of(self, name: str) -> int:
        return self._counts[name]

    def last_line_of(self, name: str) -> str:
        return self._last.get(name, "")

    def close(self) -> None:
        for file in self._files.values():
            file.close()

    def _keep(self, name: str, line: str) -> None:
        file = self._files.get(name)
        if file is None:
            path = self._directory / f"{name}.log"
            file = RotatingFileHandler(path, maxBytes=10 * _MEGABYTE, backupCount=3, encoding="utf-8")
            file.setFormatter(Formatter("%(message)s"))
            self._files[name] = file
        plain = _ANSI.sub("", line)
        self._counts[name] += 1
        self._last[name] = without_time(plain)
        file.emit(LogRecord(name, INFO, "", 0, plain, None, None))


def is_noise(line: str) -> bool:
    """Empty lines, and health checks that found nothing wrong.

    >>> is_noise("GET /health 200 3 ms"), is_noise("GET /health 503 3 ms")
    (True, False)
    """
    return not line.strip() or _HEALTH_CHECK.search(line) is not None


def without_time(line: str) -> str:
    """The stream carries its own clock.

    >>> without_time("2026-01-05 10:11:12,345 INFO    celery.worker: ready")
    'INFO    celery.worker: ready'
    """
    return _OWN_TIME.sub("", line)
