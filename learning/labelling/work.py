"""The folder of a run's work: shards of texts that processes on any machine take one by one, and their traces."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from corpus.atomic_files import replace_file
from learning.labelling.folder import RunFolder, shard_name
from learning.tasks.heartbeat import HeartbeatFolder, TaskUnreadable
from learning.tasks.locks import LockTaken, hold_lock, is_held
from learning.tasks.tries import Tries

LOADING = "loading-"


class LabelRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Paths as all machines see them; `card_hash` is the sha256 of the adapter's card as the registry has it."""

    run_folder: str
    adapter_folder: str
    adapter_id: str
    card_hash: str


class ShardCost(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a shard took: `seconds` of a machine, whose processes share its time; `process` as in `this_process`."""

    n_units: int
    seconds: float
    process: str


def this_process() -> str:
    return f"{socket.gethostname()}-{os.getpid()}"


@dataclass(frozen=True, slots=True)
class WorkFolder(HeartbeatFolder):
    """A shard is done when its labels lie in the run's folder."""

    @property
    def request(self) -> Path:
        return self.path / "request.json"

    @property
    def staged(self) -> Path:
        """There once every shard that is to be labelled has its texts."""
        return self.path / "staged"

    def texts_of(self, shard: int) -> Path:
        return self.path / "texts" / shard_name(shard)

    def cost_of(self, shard: int) -> Path:
        return self.path / "costs" / f"{shard:05d}.json"

    def write_request(self, request: LabelRequest) -> None:
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(self.request, msgspec.json.encode(request))

    def read_request(self) -> LabelRequest:
        try:
            return msgspec.json.decode(self.request.read_bytes(), type=LabelRequest)
        except (OSError, msgspec.DecodeError) as error:
            raise TaskUnreadable(self.request) from error

    def pending(self, run: RunFolder) -> list[int]:
        """Shards without labels. Those that a process died of come last: what can be done is done first."""
        written = run.written_shards()
        there = (int(path.stem) for path in (self.path / "texts").glob("[0-9]*.parquet"))
        return sorted((shard for shard in there if shard not in written), key=self._order_of)

    def _order_of(self, shard: int) -> tuple[int, int]:
        return self.tries(f"{shard:05d}").count(), shard

    def take_shards(self, run: RunFolder) -> Generator[int, None, None]:
        """Shards one after another, each held until the next is asked for, until all are done or others have them."""
        goes_on = True
        while goes_on:
            goes_on = False
            for shard in self.pending(run):
                with self._hold(shard) as is_ours:
                    if is_ours and not run.labels_of(shard).exists():
                        yield shard
                        goes_on = True
                        break

    @contextmanager
    def _hold(self, shard: int) -> Iterator[bool]:
        """Whether it could be had at once."""
        with ExitStack() as locks:
            try:
                locks.enter_context(hold_lock(self.path / "locks" / f"{shard:05d}", looks=1))
                is_ours = True
            except LockTaken:
                is_ours = False
            yield is_ours

    def tries(self, name: str) -> Tries:
        """On a shard, or to load the adapter."""
        return Tries(self.path / "tries" / name)

    def begin_loading(self) -> int:
        """How many processes have died of it, those that still load not among them."""
        self.tries(f"{LOADING}{this_process()}").begin()
        return len(self._died_loading())

    def end_loading(self) -> None:
        """What others died of before was no fault of the adapter."""
        for name in (*self._died_loading(), f"{LOADING}{this_process()}"):
            self.tries(name).end()

    def _died_loading(self) -> list[str]:
        here = {f"{LOADING}{process}" for process in (*self.present(), this_process())}
        return [path.name for path in (self.path / "tries").glob(f"{LOADING}*") if path.name not in here]

    def forget_tries(self) -> None:
        shutil.rmtree(self.path / "tries", ignore_errors=True)

    def write_cost(self, shard: int, cost: ShardCost) -> None:
        path = self.cost_of(shard)
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, msgspec.json.encode(cost))

    def read_cost(self, shard: int) -> ShardCost | None:
        try:
            return msgspec.json.decode(self.cost_of(shard).read_bytes(), type=ShardCost)
        except (OSError, msgspec.DecodeError):
            return None

    @contextmanager
    def presence(self) -> Iterator[None]:
        """While it lasts, this process counts as one at work here. Raises FileNotFoundError if the folder is gone."""
        path = self.path / "present" / this_process()
        path.parent.mkdir(exist_ok=True)
        with hold_lock(path):
            try:
                yield
            finally:
                path.unlink(missing_ok=True)

    def present(self) -> list[str]:
        """The machines and numbers of the processes that work here, for who looks at them."""
        there = (self.path / "present").glob("*")
        return sorted(path.name for path in there if is_held(path))

    def n_on_this_machine(self) -> int:
        """How many of them share its time, this process among them."""
        here = {name for name in self.present() if name.rpartition("-")[0] == socket.gethostname()}
        return len(here | {this_process()})

    def remove_texts(self) -> None:
        self.staged.unlink(missing_ok=True)
        shutil.rmtree(self.path / "texts", ignore_errors=True)

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
