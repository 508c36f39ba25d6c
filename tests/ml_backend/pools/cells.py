"""What cells do in tests of pools, found by workers under its dotted name."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np


class TestProblem(ValueError):
    __test__ = False


def reverse(payload: bytes) -> bytes:
    print("libraries print what they like")
    return payload[::-1]


def load(shared: bytes) -> list[bytes]:
    """What is loaded is kept for all cells of a worker."""
    return [shared]


def append(seen: list[bytes], payload: bytes) -> bytes:
    seen.append(payload)
    return b" ".join(seen)


def refuse(payload: bytes) -> bytes:
    raise TestProblem(payload.decode())


def refuse_loading(shared: bytes) -> None:
    raise TestProblem(shared.decode())


def die(payload: bytes) -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return payload


def die_of_three(payload: bytes) -> bytes:
    return die(payload) if payload == b"3" else payload


def die_once(payload: bytes) -> bytes:
    """`payload` is a path: the first worker that gets it dies of it."""
    mark = Path(payload.decode())
    if not mark.exists():
        mark.touch()
        die(payload)
    return payload


def count_up(payload: bytes, tell: Callable[[bytes], None]) -> bytes:
    for n in range(int(payload)):
        tell(b"%d" % n)
    return b"all of " + payload


def tell_and_refuse(payload: bytes, tell: Callable[[bytes], None]) -> bytes:
    tell(payload)
    return refuse(payload)


def tell_and_die(payload: bytes, tell: Callable[[bytes], None]) -> bytes:
    """Once it was heard."""
    tell(payload)
    time.sleep(0.5)
    return die(payload)


def sleep(payload: bytes) -> bytes:
    time.sleep(float(payload))
    return payload


def sleep_until_there(payload: bytes) -> bytes:
    """`payload` is a path and seconds; those without a path only sleep."""
    path, seconds = payload.decode().split(":")
    time.sleep(float(seconds))
    while path and not Path(path).exists():
        time.sleep(0.05)
    return payload[::-1]


def add_up(payload: bytes) -> bytes:
    """So many terms that another order of adding shows in the last bits."""
    seed = int(payload)
    rng = np.random.default_rng(seed)
    found: bytes = (rng.standard_normal((200, 100)) @ rng.standard_normal((100, 50))).tobytes()
    return found


def tell_environment(payload: bytes) -> bytes:
    threads, gpus = os.environ.get("OMP_NUM_THREADS"), os.environ.get("CUDA_VISIBLE_DEVICES")
    seen = {"pid": os.getpid(), "host": socket.gethostname(), "threads": threads, "gpus": gpus}
    return msgspec.json.encode(seen)
