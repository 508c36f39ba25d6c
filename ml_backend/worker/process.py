"""One order in one process: takes the folder's lock and a slot, works, and leaves an answer or the reason why not."""

from __future__ import annotations

import logging
import os
import time
import traceback
from argparse import Namespace

from corpus.whole_files import replace_file
from learning.tasks.folder import OrderFolder, OrderUnreadable
from learning.tasks.locks import LockTaken, held
from learning.tasks.orders import Answer, Order
from ml_backend.worker.ends import End
from ml_backend.worker.progress import Progress
from ml_backend.worker.watching import watch

logger = logging.getLogger(__name__)
# A process that dies of the same order again and again must not be given it for ever.
MOST_TRIES = 3
OUR_ROOMS = ("annotation", "codebook", "corpus", "learning", "ml_backend")


def order(options: Namespace) -> int:
    """The exit code says how it ended; see `End`."""
    folder = OrderFolder(options.folder)
    try:
        with folder.hold():
            return _held(folder, with_parent=options.with_parent)
    except LockTaken:
        return End.TAKEN


def _held(folder: OrderFolder, *, with_parent: bool) -> int:
    if folder.answer.exists():
        return End.ANSWERED
    if not folder.may_begin(time.time()):
        return End.UNWANTED
    try:
        asked = folder.read_order()
    except OrderUnreadable as problem:
        folder.write_failure(str(problem))
        return End.FAILED
    try:
        with held(folder.slot(asked)):
            watch(folder, with_parent=with_parent, put_back=folder.end_try)
            return _tried(folder, asked)
    except LockTaken:
        return End.BUSY


def _tried(folder: OrderFolder, asked: Order) -> int:
    """What comes of an order that a newer one took the place of is not written: it would pass for the other's."""
    os.nice(5)
    replace_file(folder.pid, str(os.getpid()).encode())
    try:
        if folder.begin_try() > MOST_TRIES:
            folder.write_failure(
                f"the process stopped {MOST_TRIES} times in the middle; look for a lack of memory, then try again."
            )
            return End.FAILED
        answer = _worked_on(folder, asked)
        if not folder.asks_for(asked):
            return End.LEFT
        folder.write_answer(answer)
    except Exception as problem:
        trace = "".join(traceback.format_tb(problem.__traceback__))
        logger.error("Order %s failed:\n%s%s", folder.path.name, trace, type(problem).__name__)
        if not folder.asks_for(asked):
            return End.LEFT
        folder.write_failure(reason_of(problem))
        return End.FAILED
    finally:
        folder.end_try()
    return End.ANSWERED


def _worked_on(folder: OrderFolder, asked: Order) -> Answer:
    """Imported only now, because the libraries behind take seconds to load and whoever waits looks for the lock."""
    from ml_backend.worker.working import work_on

    return work_on(folder, asked, Progress(folder))


def reason_of(problem: Exception) -> str:
    """Our own errors are written to be shown; of others only the kind is told, for they may quote a text."""
    is_ours = type(problem).__module__.partition(".")[0] in OUR_ROOMS
    return f"{type(problem).__name__}: {problem}" if is_ours else f"{type(problem).__name__}."
