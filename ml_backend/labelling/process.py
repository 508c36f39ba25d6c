"""One process that takes part in a run: loads the adapter once, and takes shards while there are any."""

from __future__ import annotations

import logging
import os
import time
import traceback
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from corpus.atomic_files import replace_file
from learning.labelling.folder import RunFolder
from learning.labelling.work import LabelRequest, ShardCost, WorkFolder, this_process
from learning.tasks.locks import LockTaken
from ml_backend.failures import reason_of
from ml_backend.labelling.process_slots import ProcessSlots, slots_here
from ml_backend.processes import ExitCode
from ml_backend.worker.watchdog import watch

if TYPE_CHECKING:
    from ml_backend.labelling.predicting import ShardLabeller

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


class TryCounter:
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
        tries = self._work.tries(f"{shard:05d}")
        self._end = tries.end
        if tries.begin() > MOST_TRIES:
            raise KeptStopping(f"Shard {shard}", MOST_TRIES)
        yield
        self.put_back()

    def put_back(self) -> None:
        self._end()


def label(options: Namespace) -> int:
    """The exit code says how it ended; see `ExitCode`."""
    work, slots = WorkFolder(options.folder), slots_here()
    try:
        if not work.may_begin(time.time()):
            return ExitCode.ABANDONED
        with slots.take(work.path), work.presence():
            tries = TryCounter(work)
            watch(work, with_parent=options.with_parent, put_back=tries.put_back)
            return _take_part(work, slots, tries)
    except LockTaken:
        return ExitCode.BUSY
    except FileNotFoundError:
        return ExitCode.ABANDONED


def _take_part(work: WorkFolder, slots: ProcessSlots, tries: TryCounter) -> int:
    os.nice(5)
    try:
        label_shards(work, slots, tries)
    except Exception as problem:
        tries.put_back()
        trace = "".join(traceback.format_tb(problem.__traceback__))
        logger.error("Labelling in %s failed:\n%s%s", work.path.name, trace, type(problem).__name__)
        work.write_failure(reason_of(problem))
        return ExitCode.FAILED
    return ExitCode.DONE


def label_shards(work: WorkFolder, slots: ProcessSlots, tries: TryCounter, *, most: int | None = None) -> int:
    """How many it labelled. Loading counts as work too; a process that finds nothing left to take loads nothing."""
    request = work.read_request()
    run = RunFolder(Path(request.run_folder))
    labeller, since, n = None, time.monotonic(), 0
    for shard in islice(work.take_shards(run), most):
        if labeller is None:
            with tries.loading():
                labeller = _load(request, slots.threads)
        with tries.at(shard):
            labels = labeller.label(work, shard)
            seconds = (time.monotonic() - since) / work.n_on_this_machine()
            work.write_cost(shard, ShardCost(labels.n_units, seconds, this_process()))
            replace_file(run.labels_of(shard), labels.content)
        since, n = time.monotonic(), n + 1
    return n


def _load(request: LabelRequest, threads: int) -> ShardLabeller:
    """Imported only now, because the libraries behind take seconds to load and whoever invites looks for the locks."""
    from ml_backend.labelling.predicting import ShardLabeller, load_requested
    from ml_backend.torch_setup import use_threads

    adapter = load_requested(request)
    use_threads(threads, with_torch=adapter.learner.uses_torch)
    return ShardLabeller(adapter)
