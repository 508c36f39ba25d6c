"""One process that takes part in a run: loads the adapter once, and takes shards while there are any."""

from __future__ import annotations

import logging
import os
import time
import traceback
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from corpus.whole_files import replace_file
from learning.labelling.folder import RunFolder
from learning.labelling.work import LabelOrder, Worked, WorkFolder, this_process
from learning.tasks.locks import LockTaken
from ml_backend.labelling.room import Room, room_here
from ml_backend.worker.ends import End
from ml_backend.worker.process import reason_of
from ml_backend.worker.watching import watch

if TYPE_CHECKING:
    from ml_backend.labelling.predicting import Labelling

logger = logging.getLogger(__name__)
# A process that dies of the same shard again and again must not be given it for ever; one may die while it loads
# because of what else the machine does.
MOST_TRIES, MOST_LOADS = 3, 10


class KeptStopping(RuntimeError):
    """What a process died of, again and again."""

    def __init__(self, what: str, times: int) -> None:
        super().__init__(
            f"{what} stopped its process {times} times. Look for a lack of memory in the ML backend's log, then start "
            "the run again: it goes on from what is labelled."
        )


class Trying:
    """Counts a process among those that died of what it does, until it has done it or leaves because it is told to."""

    def __init__(self, work: WorkFolder) -> None:
        self._work = work
        self._end: Callable[[], None] = lambda: None

    @contextmanager
    def loading(self) -> Iterator[None]:
        """Many may load at once, so that only those count that are gone."""
        self._end = self._work.end_loading
        if self._work.begin_loading() >= MOST_LOADS:
            raise KeptStopping("Loading the adapter", MOST_LOADS)
        yield
        self.put_back()

    @contextmanager
    def at(self, shard: int) -> Iterator[None]:
        name = f"{shard:05d}"
        self._end = partial(self._work.end_try, name)
        if self._work.begin_try(name) > MOST_TRIES:
            raise KeptStopping(f"Shard {shard}", MOST_TRIES)
        yield
        self.put_back()

    def put_back(self) -> None:
        self._end()


def label(options: Namespace) -> int:
    """The exit code says how it ended; see `End`."""
    work, room = WorkFolder(options.folder), room_here()
    try:
        if not work.may_begin(time.time()):
            return End.UNWANTED
        with room.taken(work.path), work.presence():
            trying = Trying(work)
            watch(work, with_parent=options.with_parent, put_back=trying.put_back)
            return _took_part(work, room, trying)
    except LockTaken:
        return End.BUSY
    except FileNotFoundError:
        return End.UNWANTED


def _took_part(work: WorkFolder, room: Room, trying: Trying) -> int:
    os.nice(5)
    try:
        label_shards(work, room, trying)
    except Exception as problem:
        trying.put_back()
        trace = "".join(traceback.format_tb(problem.__traceback__))
        logger.error("Labelling in %s failed:\n%s%s", work.path.name, trace, type(problem).__name__)
        work.write_failure(reason_of(problem))
        return End.FAILED
    return End.ANSWERED


def label_shards(work: WorkFolder, room: Room, trying: Trying, *, most: int | None = None) -> int:
    """How many it labelled. Loading counts as work too; a process that finds nothing left to take loads nothing."""
    order = work.read_order()
    run = RunFolder(Path(order.run_folder))
    labelling, since, n = None, time.monotonic(), 0
    for shard in islice(work.taken(run), most):
        if labelling is None:
            with trying.loading():
                labelling = _loaded(order, room.threads)
        with trying.at(shard):
            labels = labelling.labels(work, shard)
            seconds = (time.monotonic() - since) / work.n_on_this_machine()
            work.write_worked(shard, Worked(labels.n_units, seconds, this_process()))
            replace_file(run.labels_of(shard), labels.content)
        since, n = time.monotonic(), n + 1
    return n


def _loaded(order: LabelOrder, threads: int) -> Labelling:
    """Imported only now, because the libraries behind take seconds to load and whoever invites looks for the locks."""
    from ml_backend.labelling.predicting import Labelling, load_ordered
    from ml_backend.threads import use_threads

    adapter = load_ordered(order)
    use_threads(threads, with_torch=adapter.learner.uses_torch)
    return Labelling(adapter)
