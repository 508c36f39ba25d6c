"""Lets a worker take part in a labelling run, as far as its machine has room."""

from __future__ import annotations

import logging
import threading
from pathlib import Path

from learning.labelling.folder import RunFolder
from learning.labelling.work import WorkFolder
from learning.tasks.heartbeat import TaskUnreadable
from ml_backend.labelling.process_slots import slots_here
from ml_backend.processes import CHILDREN, Children, name_of

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
            request = WorkFolder(folder).read_request()
        except TaskUnreadable:
            return 0
        n_left = len(WorkFolder(folder).pending(RunFolder(Path(request.run_folder))))
        slots = slots_here()
        with self._lock:
            # Those that have just begun hold no place yet
            n = min(slots.free(folder), slots.processes - self._n_running, n_left)
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
