"""The embedded broker delivers each message once, in order, and never a half-written one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from celery import Celery


def connect(folder: Path) -> Any:
    letters = Celery("letters", broker="filesystem://", set_as_current=False)
    letters.conf.broker_transport = "backend.core.worker.embedded_broker:Transport"
    letters.conf.broker_transport_options = {"folder": str(folder)}
    return letters.connection_for_write()


@pytest.fixture
def queue(tmp_path: Path) -> Iterator[Any]:
    with connect(tmp_path) as connection, connection.SimpleQueue("letters") as opened:
        yield opened


def take(queue: Any) -> object:
    message = queue.get(timeout=2)
    message.ack()
    return message.payload


def test_messages_come_back_in_order_and_leave_nothing(queue: Any, tmp_path: Path) -> None:
    for number in range(5):
        queue.put({"number": number})
    assert queue.qsize() == 5
    assert [take(queue) for _ in range(5)] == [{"number": number} for number in range(5)]
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(Empty):
        queue.get(block=False)


def test_queues_do_not_mix(queue: Any, tmp_path: Path) -> None:
    with connect(tmp_path) as connection, connection.SimpleQueue("parcels") as other:
        other.put("parcel")
        with pytest.raises(Empty):
            queue.get(block=False)
        assert take(other) == "parcel"


def test_a_message_that_was_not_acknowledged_comes_back(queue: Any) -> None:
    queue.put("again")
    queue.get(timeout=2).requeue()
    assert take(queue) == "again"


def test_clearing_empties_the_queue(queue: Any) -> None:
    queue.put("one")
    queue.put("two")
    assert queue.clear() == 2
    assert queue.qsize() == 0


def test_many_writers_and_readers_lose_and_double_nothing(tmp_path: Path) -> None:
    taken: list[object] = []
    done_writing = threading.Event()

    def write(start: int) -> None:
        with connect(tmp_path) as connection, connection.SimpleQueue("letters") as opened:
            for number in range(start, start + 100):
                opened.put(number)

    def read() -> None:
        with connect(tmp_path) as connection, connection.SimpleQueue("letters") as opened:
            while True:
                finished = done_writing.is_set()
                try:
                    message = opened.get(block=False)
                except Empty:
                    if finished:
                        return
                else:
                    message.ack()
                    taken.append(message.payload)

    writers = [threading.Thread(target=write, args=(start,)) for start in (0, 100, 200)]
    readers = [threading.Thread(target=read) for _ in range(3)]
    for thread in writers + readers:
        thread.start()
    for thread in writers:
        thread.join()
    done_writing.set()
    for thread in readers:
        thread.join()
    assert sorted(map(int, map(str, taken))) == list(range(300))
