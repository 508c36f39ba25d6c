"""The folder of one task: who asks writes the request and waits, who works on it holds the lock and leaves a result or
the reason why there is none."""

from __future__ import annotations

import socket
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from corpus.atomic_files import replace_file
from corpus.folders import Inside
from learning.tasks.contract import Request, Result, TaskRequest, TaskResult
from learning.tasks.locks import hold_lock, is_held

# A task whose heartbeat has stopped is neither begun nor, after a while, gone on with.
BEGIN_WITHIN_SECONDS, GO_ON_WITHIN_SECONDS = 60.0, 300.0
_requests: msgspec.json.Decoder[TaskRequest] = msgspec.json.Decoder(TaskRequest)
_results: msgspec.json.Decoder[TaskResult] = msgspec.json.Decoder(TaskResult)


class TaskUnreadable(ValueError):
    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} is not what this version writes: see that all processes run the same version."
        )


@dataclass(frozen=True, slots=True)
class Tries:
    """A file with a byte for each process that began and did not end, so that none is given the task for ever."""

    path: Path

    def begin(self) -> int:
        """How many processes have begun since the last one that ended well or got farther, this one included."""
        with self.path.open("ab") as handle:
            handle.write(b".")
            return handle.tell()

    def start_again(self) -> None:
        """For a process that got farther: what came before was no fault of the task."""
        replace_file(self.path, b".")

    def end(self) -> None:
        self.path.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class TaskFolder:
    """`heartbeat` is touched by whoever waits; `cancel` is there while what is under way has to stop. `pid` has the
    number of the process that works on it, for who looks at the machine."""

    path: Path

    request = Inside("request.json")
    result = Inside("result.json")
    failure = Inside("failure.txt")
    progress = Inside("progress.jsonl")
    heartbeat = Inside("heartbeat")
    cancel = Inside("cancel")
    lock = Inside(".lock")
    pid = Inside("pid")
    checkpoint = Inside("checkpoint")
    adapter = Inside("adapter")
    measured = Inside("measured")

    @property
    def tries(self) -> Tries:
        return Tries(self.path / "tries")

    def slot(self, request: Request[Any]) -> Path:
        """Whoever works holds this of their machine."""
        return self.path.parent.parent / f".slot-{request.slot}-{socket.gethostname()}"

    def is_somebody_busy(self, request: Request[Any]) -> bool:
        """Whether a machine works on another task of the kind."""
        return any(is_held(slot) for slot in self.path.parent.parent.glob(f".slot-{request.slot}-*"))

    def write_request(self, request: Request[Any]) -> None:
        """The same request again changes nothing; what came of another one is no result of this."""
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.asks_for(request):
            return
        self.result.unlink(missing_ok=True)
        self.failure.unlink(missing_ok=True)
        replace_file(self.request, msgspec.json.encode(request))

    def asks_for(self, request: Request[Any]) -> bool:
        """Whether this very request lies here, and no newer one took its place."""
        return self.request.exists() and self.request.read_bytes() == msgspec.json.encode(request)

    def read_request(self) -> TaskRequest:
        try:
            return _requests.decode(self.request.read_bytes())
        except (OSError, msgspec.DecodeError) as error:
            raise TaskUnreadable(self.request) from error

    def write_result(self, result: Result) -> None:
        replace_file(self.result, msgspec.json.encode(msgspec.to_builtins(result, str_keys=True)))

    def read_result(self) -> TaskResult | None:
        try:
            return _results.decode(self.result.read_bytes())
        except FileNotFoundError:
            return None
        except msgspec.DecodeError as error:
            raise TaskUnreadable(self.result) from error

    def write_failure(self, reason: str) -> None:
        replace_file(self.failure, reason.encode())

    def take_failure(self) -> str | None:
        """Why it could not be done, once: asking again afterwards is a new try."""
        try:
            reason = self.failure.read_text()
        except FileNotFoundError:
            return None
        self.failure.unlink(missing_ok=True)
        return reason

    def beat(self) -> None:
        self.heartbeat.touch()

    def stop(self) -> None:
        """Whoever works on it looks for this, and leaves at once."""
        self.heartbeat.unlink(missing_ok=True)
        if self.path.exists():
            self.cancel.touch()

    def may_begin(self, now: float) -> bool:
        return self._is_awaited(now, BEGIN_WITHIN_SECONDS)

    def may_go_on(self, now: float) -> bool:
        return self._is_awaited(now, GO_ON_WITHIN_SECONDS)

    def _is_awaited(self, now: float, within: float) -> bool:
        try:
            return now - self.heartbeat.stat().st_mtime <= within and not self.cancel.exists()
        except FileNotFoundError:
            return False

    def hold(self) -> AbstractContextManager[None]:
        """For the process that works on it. Raises LockTaken."""
        return hold_lock(self.lock)

    def is_worked_on(self) -> bool:
        return is_held(self.lock)
