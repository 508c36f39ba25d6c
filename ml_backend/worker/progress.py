"""Where whoever works on an order says how far it is."""

from __future__ import annotations

from datetime import UTC, datetime

from learning.tasks.folder import OrderFolder
from learning.tasks.progress import PointLine, SaidLine, append_line
from learning.tasks.training_points import TrainingPoint


class Progress:
    def __init__(self, folder: OrderFolder) -> None:
        self._folder = folder

    def say(self, text: str) -> None:
        append_line(self._folder.progress, SaidLine(_now(), text))

    def point(self, point: TrainingPoint) -> None:
        append_line(self._folder.progress, PointLine(_now(), point))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
