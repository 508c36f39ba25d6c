"""How far a task is, as lines that are only ever added: what is being done, points of the loss curve, shards that are
labelled."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Its tag says of which kind a line is."""


class TrainingPoint(_Line, frozen=True, tag="point"):
    """A point of a loss curve. `loss` is the mean since the point before it; `dev_score` is there at the end of an
    epoch, where it was measured.

    A training that went on after a stop gives its earlier points again: of two with the same step and the same kind of
    score, either will do. `n_steps` is what was planned; where training stops before, its last point has as many as
    were made.
    """

    epoch: int
    step: int
    n_steps: int
    loss: float
    dev_score: float | None = None


class SaidLine(_Line, frozen=True, tag="said"):
    """`at` is the time, ISO 8601."""

    at: str
    text: str


class ShardLine(_Line, frozen=True, tag="shard"):
    """The labels of a shard are written; it took so many `seconds` of a machine, whose workers share its time."""

    shard: int
    seconds: float


class CountLine(_Line, frozen=True, tag="count"):
    """So many of `total` are done."""

    done: int
    total: int


class WorkersLine(_Line, frozen=True, tag="workers"):
    """So many workers are ready from now on."""

    n: int


ProgressLine = SaidLine | TrainingPoint | ShardLine | CountLine | WorkersLine
_decoder = msgspec.json.Decoder(ProgressLine)


@dataclass(frozen=True, slots=True)
class ReadProgress:
    """The lines from an offset on, and the offset to go on from."""

    lines: tuple[ProgressLine, ...]
    offset: int


class ProgressWriter:
    """Where whoever works on a task says how far it is."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def write(self, line: ProgressLine) -> None:
        """One write each, so that lines stay whole whoever dies."""
        with self._path.open("ab", buffering=0) as handle:
            handle.write(msgspec.json.encode(line) + b"\n")

    def say(self, text: str) -> None:
        self.write(SaidLine(datetime.now(UTC).isoformat(timespec="seconds"), text))


def read_progress(path: Path, offset: int = 0) -> ReadProgress:
    """Whole lines alone; what a kill left unfinished is passed over."""
    try:
        with path.open("rb") as handle:
            handle.seek(offset)
            content = handle.read()
    except FileNotFoundError:
        return ReadProgress((), offset)
    whole = content[: content.rfind(b"\n") + 1]
    return ReadProgress(tuple(_decode_lines(whole.splitlines())), offset + len(whole))


def _decode_lines(lines: Iterable[bytes]) -> list[ProgressLine]:
    found = []
    for line in lines:
        try:
            found.append(_decoder.decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
    return found


def loss_curve(lines: Iterable[ProgressLine]) -> tuple[TrainingPoint, ...]:
    """By step; of points that a training gave again after a stop, the later one."""
    points = [line for line in lines if isinstance(line, TrainingPoint)]
    newest = {(point.step, point.dev_score is None): point for point in points}
    return tuple(newest[key] for key in sorted(newest))
