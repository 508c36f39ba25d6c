"""The folder of one task: who asks writes the request, who works on it holds the lock and leaves a result."""

from __future__ import annotations

import socket
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from corpus.atomic_files import replace_file
from learning.tasks.contract import TaskRequest, TaskResult, TrainRequest
from learning.tasks.heartbeat import HeartbeatFolder, TaskUnreadable
from learning.tasks.locks import hold_lock, is_held
from learning.tasks.tries import Tries

_requests: msgspec.json.Decoder[TaskRequest] = msgspec.json.Decoder(TaskRequest)
_results: msgspec.json.Decoder[TaskResult] = msgspec.json.Decoder(TaskResult)
ADAPTER, MEASURED, CHECKPOINT = "adapter", "measured", "checkpoint"


@dataclass(frozen=True, slots=True)
class TaskFolder(HeartbeatFolder):
    @property
    def request(self) -> Path:
        return self.path / "request.json"

    @property
    def result(self) -> Path:
        return self.path / "result.json"

    @property
    def progress(self) -> Path:
        return self.path / "progress.jsonl"

    @property
    def lock(self) -> Path:
        return self.path / ".lock"

    @property
    def tries(self) -> Tries:
        return Tries(self.path / "tries")

    @property
    def pid(self) -> Path:
        """The number of the process that works on it, for who looks at the machine."""
        return self.path / "pid"

    @property
    def checkpoint(self) -> Path:
        return self.path / CHECKPOINT

    @property
    def adapter(self) -> Path:
        return self.path / ADAPTER

    @property
    def measured(self) -> Path:
        return self.path / MEASURED

    def slot(self, request: TaskRequest) -> Path:
        """On each machine one training at a time, and one of whatever else takes long: neither waits for the other."""
        return self.path.parent.parent / f".slot-{_kind_of(request)}-{socket.gethostname()}"

    def is_somebody_busy(self, request: TaskRequest) -> bool:
        """Whether a machine works on another task of the kind."""
        return any(is_held(slot) for slot in self.path.parent.parent.glob(f".slot-{_kind_of(request)}-*"))

    def write_request(self, request: TaskRequest) -> None:
        """The same request again changes nothing; what came of another one is no result of this."""
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.asks_for(request):
            return
        self.result.unlink(missing_ok=True)
        self.failure.unlink(missing_ok=True)
        replace_file(self.request, msgspec.json.encode(request))

    def asks_for(self, request: TaskRequest) -> bool:
        """Whether this very request lies here, and no newer one took its place."""
        return self.request.exists() and self.request.read_bytes() == msgspec.json.encode(request)

    def read_request(self) -> TaskRequest:
        try:
            return _requests.decode(self.request.read_bytes())
        except (OSError, msgspec.DecodeError) as error:
            raise TaskUnreadable(self.request) from error

    def write_result(self, result: TaskResult) -> None:
        replace_file(self.result, msgspec.json.encode(msgspec.to_builtins(result, str_keys=True)))

    def read_result(self) -> TaskResult | None:
        try:
            return _results.decode(self.result.read_bytes())
        except FileNotFoundError:
            return None
        except msgspec.DecodeError as error:
            raise TaskUnreadable(self.result) from error

    def hold(self) -> AbstractContextManager[None]:
        """For the process that works on it. Raises LockTaken."""
        return hold_lock(self.lock)

    def is_worked_on(self) -> bool:
        return is_held(self.lock)


def _kind_of(request: TaskRequest) -> str:
    return "train" if isinstance(request, TrainRequest) else "use"
