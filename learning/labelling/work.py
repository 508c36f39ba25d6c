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

from corpus.whole_files import replace_file
from learning.labelling.folder import RunFolder, shard_name
from learning.tasks.locks import LockTaken, held, is_held
from learning.tasks.wanted import WantedFolder

LOADING = "loading-"


class LabelOrder(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Paths as all machines see them; `card_hash` is the sha256 of the adapter's card as the registry has it."""

    run_folder: str
    adapter_folder: str
    adapter_id: str
    card_hash: str


class Worked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a shard took: `seconds` of a machine, whose processes share its time; `process` as in `this_process`."""

    n_units: int
    seconds: float
    process: str


def this_process() -> str:
    return f"{socket.gethostname()}-{os.getpid()}"


class WorkUnreadable(ValueError):
    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} is not what this version writes: see that all processes run the same version."
        )


@dataclass(frozen=True, slots=True)
class WorkFolder(WantedFolder):
    """A shard is done when its labels lie in the run's folder. `tries` has a byte for each process that began on
    something and did not end."""

    @property
    def order(self) -> Path:
        return self.path / "order.json"

    @property
    def staged(self) -> Path:
        """There once every shard that is to be labelled has its texts."""
        return self.path / "staged"

    def texts_of(self, shard: int) -> Path:
        return self.path / "texts" / shard_name(shard)

    def worked_of(self, shard: int) -> Path:
        return self.path / "worked" / f"{shard:05d}.json"

    def write_order(self, order: LabelOrder) -> None:
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(self.order, msgspec.json.encode(order))

    def read_order(self) -> LabelOrder:
        try:
            return msgspec.json.decode(self.order.read_bytes(), type=LabelOrder)
        except (OSError, msgspec.DecodeError) as error:
            raise WorkUnreadable(self.order) from error

    def pending(self, run: RunFolder) -> list[int]:
        """Shards without labels. Those that a process died of come last: what can be done is done first."""
        written = run.written_shards()
        there = (int(path.stem) for path in (self.path / "texts").glob("[0-9]*.parquet"))
        return sorted((shard for shard in there if shard not in written), key=self._order_of)

    def _order_of(self, shard: int) -> tuple[int, int]:
        return self.n_tries(f"{shard:05d}"), shard

    def taken(self, run: RunFolder) -> Generator[int, None, None]:
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
                locks.enter_context(held(self.path / "locks" / f"{shard:05d}", looks=1))
                is_ours = True
            except LockTaken:
                is_ours = False
            yield is_ours

    def begin_try(self, name: str) -> int:
        """How many processes have begun on it and not ended well, this one included."""
        path = self.path / "tries" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as handle:
            handle.write(b".")
            return handle.tell()

    def n_tries(self, name: str) -> int:
        try:
            return (self.path / "tries" / name).stat().st_size
        except FileNotFoundError:
            return 0

    def end_try(self, name: str) -> None:
        (self.path / "tries" / name).unlink(missing_ok=True)

    def begin_loading(self) -> int:
        """How many processes have died of it, those that still load not among them."""
        self.begin_try(f"{LOADING}{this_process()}")
        return len(self._died_loading())

    def end_loading(self) -> None:
        """What others died of before was no fault of the adapter."""
        for name in (*self._died_loading(), f"{LOADING}{this_process()}"):
            self.end_try(name)

    def _died_loading(self) -> list[str]:
        here = {f"{LOADING}{process}" for process in (*self.present(), this_process())}
        return [path.name for path in (self.path / "tries").glob(f"{LOADING}*") if path.name not in here]

    def forget_tries(self) -> None:
        shutil.rmtree(self.path / "tries", ignore_errors=True)

    def write_worked(self, shard: int, worked: Worked) -> None:
        path = self.worked_of(shard)
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, msgspec.json.encode(worked))

    def read_worked(self, shard: int) -> Worked | None:
        try:
            return msgspec.json.decode(self.worked_of(shard).read_bytes(), type=Worked)
        except (OSError, msgspec.DecodeError):
            return None

    @contextmanager
    def presence(self) -> Iterator[None]:
        """While it lasts, this process counts as one at work here. Raises FileNotFoundError if the folder is gone."""
        path = self.path / "present" / this_process()
        path.parent.mkdir(exist_ok=True)
        with held(path):
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
