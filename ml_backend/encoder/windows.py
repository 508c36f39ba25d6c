"""Texts as windows of tokens: a long one is read in overlapping windows, and what does not fit is counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ml_backend.examples import Place

# A token that is no part of the text.
NOWHERE = (-1, -1)


@dataclass(frozen=True, slots=True)
class Tokens:
    """Of one text, with where each one is."""

    ids: tuple[int, ...]
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Window:
    """`kept` are the positions whose states are used; the rest are context, overlap and separators."""

    ids: tuple[int, ...]
    types: tuple[int, ...]
    kept: range


@dataclass(frozen=True, slots=True)
class TextWindows:
    """`places` are those of the kept tokens, window after window; the first, the sign before the text, is nowhere."""

    windows: tuple[Window, ...]
    places: tuple[Place, ...]
    n_truncated: int

    @property
    def n_tokens(self) -> int:
        return sum(len(window.ids) for window in self.windows)


@dataclass(frozen=True, slots=True)
class Cutter:
    """How texts become windows: the separators of a backbone and its room."""

    start: int
    separator: int
    max_tokens: int
    overlap: int

    def windows(self, text: Tokens, context: Tokens | None = None) -> TextWindows:
        """The context goes before the text in every window; where both are long, it is cut to half the room."""
        head, n_truncated = self._head(text, context)
        room = self.max_tokens - len(head) - 1
        windows = []
        for start, first, end in _stretches(len(text.ids), room, min(self.overlap, room // 2)):
            body = text.ids[start : start + room]
            ids = (*head, *body, self.separator)
            types = (0,) * len(head) + (int(context is not None),) * (len(body) + 1)
            kept = range(len(head) + first - start, len(head) + end - start)
            windows.append(Window(ids, types, kept))
        return TextWindows(_with_start(windows), (NOWHERE, *text.places), n_truncated)

    def _head(self, text: Tokens, context: Tokens | None) -> tuple[tuple[int, ...], int]:
        if context is None:
            return (self.start,), 0
        free = self.max_tokens - 3
        room = max(free // 2, free - len(text.ids))
        ids = context.ids[:room]
        return (self.start, *ids, self.separator), len(context.ids) - len(ids)


def _stretches(length: int, room: int, overlap: int) -> list[tuple[int, int, int]]:
    """Start of each window, and from where to where it is used: neighbours meet in the middle of what they share.

    >>> _stretches(10, room=6, overlap=2)
    [(0, 0, 5), (4, 5, 10)]
    >>> _stretches(0, room=6, overlap=2)
    [(0, 0, 0)]
    """
    step = room - overlap
    starts = [0]
    while starts[-1] + room < length:
        starts.append(starts[-1] + step)
    meeting = [start + overlap // 2 for start in starts[1:]]
    return list(zip(starts, [0, *meeting], [*meeting, length], strict=True))


def _with_start(windows: Sequence[Window]) -> tuple[Window, ...]:
    """The sign before the text is kept too, so that no text is without a state."""
    first, *rest = windows
    return (Window(first.ids, first.types, range(first.kept.start - 1, first.kept.stop)), *rest)
