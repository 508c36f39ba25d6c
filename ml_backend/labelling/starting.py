"""Lets a worker take part in a labelling run, as far as its machine has room."""

from __future__ import annotations

import logging
import threading
from pathlib import Path

from learning.labelling.folder import RunFolder
from learning.labelling.work import WorkFolder, WorkUnreadable
from ml_backend.children import CHILDREN, Children
from ml_backend.labelling.room import room_here
from ml_backend.worker.ends import name_of

logger = logging.getLogger(__name__)


class Labellers:
    """The processes that this worker started; others on the machine may have started more."""

    def __init__(self, children: Children) -> None:
        self._children = children
        self._lock = threading.Lock()
        self._n_running = 0

    def join_in(self, folder: Path) -> int:
        """How many processes were started, none of which is waited for: an invitation comes again soon."""
        try:
            order = WorkFolder(folder).read_order()
        except WorkUnreadable:
            return 0
        n_left = len(WorkFolder(folder).pending(RunFolder(Path(order.run_folder))))
        room = room_here()
        with self._lock:
            # Those that have just begun hold no place yet
            n = min(room.free(folder), room.processes - self._n_running, n_left)
            self._n_running += max(n, 0)
        for _ in range(n):
            threading.Thread(target=self._run, args=(folder,), daemon=True).start()
        return max(n, 0)

    def _run(self, folder: Path) -> None:
        try:
            code = self._children.run("label", str(folder))
            if code is not None:
                logger.info("Labelling in %s ended with %s.", folder.name, name_of(code))
        finally:
            with self._lock:
                self._n_running -= 1


LABELLERS = Labellers(CHILDREN)
