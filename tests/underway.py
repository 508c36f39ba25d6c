"""A change that another connection has made and not committed yet."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import connection, transaction

A_WHILE = 0.5


@contextmanager
def underway(change: Callable[[], object]) -> Iterator[None]:
    """Inside, the change is made on another connection and not committed yet: it will be a while later."""
    made = threading.Event()

    def run() -> None:
        try:
            with transaction.atomic():
                change()
                made.set()
                time.sleep(A_WHILE)
        finally:
            made.set()
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    made.wait()
    try:
        yield
    finally:
        thread.join()
