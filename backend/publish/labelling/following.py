"""Carries what processes have labelled into the run's row and its job's."""

from __future__ import annotations

import polars as pl

from backend.core.jobs.context import JobContext
from backend.core.ml_tasks.following import waiting_note, was_taken
from backend.publish.labelling.models import LabellingRun
from learning.labelling.read import scan_units
from learning.labelling.work import WorkFolder


class Following:
    """`report` is where a job learns that it must stop."""

    def __init__(self, context: JobContext, run: LabellingRun, work: WorkFolder) -> None:
        self._context = context
        self._run = run
        self._work = work
        sizes = scan_units(run.folder).group_by("shard").agg(pl.len()).collect()
        self._sizes: dict[int, int] = dict(sizes.iter_rows())
        self._known: set[int] = set()
        self._seconds = 0.0
        self._look()

    @property
    def is_done(self) -> bool:
        return len(self._known) == len(self._sizes)

    @property
    def n_labelled(self) -> int:
        return sum(self._sizes[shard] for shard in self._known)

    def report(self, note: str = "") -> bool:
        """Whether something was labelled since the last look."""
        got_farther = self._look()
        if got_farther:
            was_taken(self._context)
            self._context.got_farther()
        self._context.report(
            done=self.n_labelled, total=sum(self._sizes.values()), unit="texts", note=note or self._note()
        )
        return got_farther

    def _look(self) -> bool:
        new = (self._run.files.written_shards() & self._sizes.keys()) - self._known
        if not new:
            return False
        for shard in new:
            worked = self._work.read_cost(shard)
            self._seconds += worked.seconds if worked else 0.0
        self._known |= new
        # What a shard took is forgotten with its work; of that the row keeps what it had
        self._run.n_labelled = self.n_labelled
        self._run.seconds_worked = max(self._seconds, self._run.seconds_worked)
        self._run.save(update_fields=["n_labelled", "seconds_worked"])
        return True

    def _note(self) -> str:
        """Without how many processes there are: whoever shows that counts them at that moment."""
        if not self._work.present():
            return waiting_note(self._context)
        was_taken(self._context)
        return "Labelling"
