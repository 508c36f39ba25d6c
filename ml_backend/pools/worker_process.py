"""A process of this machine that works for `LocalPool`.

`python -m ml_backend.pools.worker_process` reads messages on standard input and answers on standard output. Each is a
length of eight bytes and MessagePack. It leaves at once when its input ends, with whoever held it.
"""

from __future__ import annotations

import os
import queue
import socket
import struct
import sys
import threading
from typing import IO

import msgspec

from ml_backend.failures import reason_of
from ml_backend.pools.interface import Work
from ml_backend.pools.worker import CellRunner, worker_name
from ml_backend.processes import ExitCode

LENGTH = struct.Struct(">Q")


class StartMessage(msgspec.Struct, frozen=True, tag="start"):
    work: Work


class CellMessage(msgspec.Struct, frozen=True, tag="cell"):
    payload: bytes


class ReadyMessage(msgspec.Struct, frozen=True, tag="ready"):
    name: str
    machine: str


class DoneMessage(msgspec.Struct, frozen=True, tag="done"):
    content: bytes
    seconds: float


class RaisedMessage(msgspec.Struct, frozen=True, tag="raised"):
    reason: str


ToWorker = StartMessage | CellMessage
FromWorker = ReadyMessage | DoneMessage | RaisedMessage
_to_worker: msgspec.msgpack.Decoder[ToWorker] = msgspec.msgpack.Decoder(ToWorker)
_from_worker: msgspec.msgpack.Decoder[FromWorker] = msgspec.msgpack.Decoder(FromWorker)


def read_message(pipe: IO[bytes]) -> bytes | None:
    """None at the end, also where a death left a message unfinished."""
    head = pipe.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    content = pipe.read(length)
    return content if len(content) == length else None


def write_message(pipe: IO[bytes], message: ToWorker | FromWorker) -> None:
    content = msgspec.msgpack.encode(message)
    pipe.write(LENGTH.pack(len(content)))
    pipe.write(content)
    pipe.flush()


def read_answer(pipe: IO[bytes]) -> FromWorker | None:
    content = read_message(pipe)
    return None if content is None else _from_worker.decode(content)


def main() -> None:
    """What libraries print goes to standard error, for standard output carries the answers."""
    os.nice(5)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    requests: queue.SimpleQueue[ToWorker] = queue.SimpleQueue()
    threading.Thread(target=_read_requests, args=(requests,), daemon=True).start()
    runner: CellRunner | None = None
    while True:
        request = requests.get()
        answer: FromWorker
        try:
            if isinstance(request, StartMessage):
                runner = CellRunner(request.work)
                answer = ReadyMessage(worker_name(), socket.gethostname())
            else:
                assert runner is not None
                answer = DoneMessage(*runner.run(request.payload))
        except Exception as problem:
            answer = RaisedMessage(reason_of(problem))
        write_message(answers, answer)


def _read_requests(requests: queue.SimpleQueue[ToWorker]) -> None:
    with os.fdopen(os.dup(sys.stdin.fileno()), "rb") as pipe:
        while (content := read_message(pipe)) is not None:
            requests.put(_to_worker.decode(content))
    os._exit(ExitCode.STOPPED)


if __name__ == "__main__":
    main()
