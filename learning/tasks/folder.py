"""The folder of one order: who asks writes the order, who works on it holds the lock and leaves an answer."""

from __future__ import annotations

import socket
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from corpus.whole_files import replace_file
from learning.tasks.locks import held, is_held
from learning.tasks.orders import Answer, Order, TrainOrder
from learning.tasks.wanted import WantedFolder

_orders: msgspec.json.Decoder[Order] = msgspec.json.Decoder(Order)
_answers: msgspec.json.Decoder[Answer] = msgspec.json.Decoder(Answer)
ADAPTER, MEASURED, CHECKPOINT = "adapter", "measured", "checkpoint"


class OrderUnreadable(ValueError):
    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} is not what this version writes: see that all processes run the same version."
        )


@dataclass(frozen=True, slots=True)
class OrderFolder(WantedFolder):
    """`tries` has a byte for each process that began and did not end."""

    @property
    def order(self) -> Path:
        return self.path / "order.json"

    @property
    def answer(self) -> Path:
        return self.path / "answer.json"

    @property
    def progress(self) -> Path:
        return self.path / "progress.jsonl"

    @property
    def lock(self) -> Path:
        return self.path / ".lock"

    @property
    def tries(self) -> Path:
        return self.path / "tries"

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

    def slot(self, order: Order) -> Path:
        """On each machine one training at a time, and one of whatever else takes long: neither waits for the other."""
        return self.path.parent.parent / f".slot-{_kind_of(order)}-{socket.gethostname()}"

    def is_somebody_busy(self, order: Order) -> bool:
        """Whether a machine works on another order of the kind."""
        return any(is_held(slot) for slot in self.path.parent.parent.glob(f".slot-{_kind_of(order)}-*"))

    def write_order(self, order: Order) -> None:
        """The same order again changes nothing; what came of another one is no answer to this."""
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.asks_for(order):
            return
        self.answer.unlink(missing_ok=True)
        self.failure.unlink(missing_ok=True)
        replace_file(self.order, msgspec.json.encode(order))

    def asks_for(self, order: Order) -> bool:
        """Whether this very order lies here, and no newer one took its place."""
        return self.order.exists() and self.order.read_bytes() == msgspec.json.encode(order)

    def read_order(self) -> Order:
        try:
            return _orders.decode(self.order.read_bytes())
        except (OSError, msgspec.DecodeError) as error:
            raise OrderUnreadable(self.order) from error

    def write_answer(self, answer: Answer) -> None:
        replace_file(self.answer, msgspec.json.encode(msgspec.to_builtins(answer, str_keys=True)))

    def read_answer(self) -> Answer | None:
        try:
            return _answers.decode(self.answer.read_bytes())
        except FileNotFoundError:
            return None
        except msgspec.DecodeError as error:
            raise OrderUnreadable(self.answer) from error

    def hold(self) -> AbstractContextManager[None]:
        """For the process that works on it. Raises LockTaken."""
        return held(self.lock)

    def is_worked_on(self) -> bool:
        return is_held(self.lock)

    def begin_try(self) -> int:
        """How many processes have begun since the last one that ended well or got farther, this one included."""
        with self.tries.open("ab") as handle:
            handle.write(b".")
            return handle.tell()

    def got_farther(self) -> None:
        """What came before a step forward was no fault of the order."""
        replace_file(self.tries, b".")

    def end_try(self) -> None:
        self.tries.unlink(missing_ok=True)


def _kind_of(order: Order) -> str:
    return "train" if isinstance(order, TrainOrder) else "use"
