"""Carries what workers have labelled into the run's row and its job's, and sees when a person pauses the run."""

from __future__ import annotations

import polars as pl

from backend.core.jobs.context import JobContext
from backend.core.ml_tasks.following import TaskFollower
from backend.core.ml_tasks.working import TaskHalted
from backend.publish.labelling.models import LabellingRun, LabellingState
from backend.publish.labelling.places import label_folder
from learning.labelling.read import scan_units
from learning.tasks.progress import ProgressLine, ShardLine, WorkersLine


class RunPaused(TaskHalted):
    """A person paused the run."""


def refuse_paused(context: JobContext, run: LabellingRun) -> None:
    """Raises RunPaused. The job is then no longer the run's: whoever resumes it finds that out before or after, not in
    between. One that was paused and resumed before this job had looked goes on."""
    here = LabellingRun.objects.filter(pk=run.pk)
    match here.values_list("state", flat=True).first():
        case LabellingState.WAITING:
            here.filter(state=LabellingState.WAITING).update(state=LabellingState.RUNNING)
        case LabellingState.PAUSED:
            with context.fenced_transaction():
                was_paused = here.select_for_update().filter(state=LabellingState.PAUSED).update(job=None)
            if was_paused:
                raise RunPaused


class ShardFollower(TaskFollower):
    """What is written is listed once; from then on shards are heard of as they come."""

    def __init__(self, context: JobContext, run: LabellingRun) -> None:
        super().__init__(context, label_folder(run), unit="texts")
        self._run = run
        self._seconds, self._n_workers = 0.0, 0
        self._sizes, self._written = dict[int, int](), frozenset[int]()
        # Of earlier attempts only what they took: a shard that was found to be broken since is not written
        self.read()
        sizes = scan_units(run.folder).group_by("shard").agg(pl.len()).collect()
        self._sizes |= sizes.iter_rows()
        self._written = run.files.written_shards() & self._sizes.keys()
        self._done, self._total = sum(self._sizes[shard] for shard in self._written), run.n_units
        self._save()

    @property
    def is_done(self) -> bool:
        return len(self._written) == len(self._sizes)

    def report(self) -> None:
        refuse_paused(self._context, self._run)
        before = self._done
        super().report()
        self.look()
        if self._done > before:
            self._context.got_farther()

    def report_waiting(self, note: str = "") -> None:
        refuse_paused(self._context, self._run)
        self._n_workers = 0
        super().report_waiting(note)
        self._save()

    def look(self) -> None:
        self.read()
        self._save()

    def take(self, line: ProgressLine) -> None:
        match line:
            case ShardLine():
                self._seconds += line.seconds
                if line.shard not in self._written and line.shard in self._sizes:
                    self._written |= {line.shard}
                    self._done += self._sizes[line.shard]
            case WorkersLine():
                self._n_workers = line.n
            case _:
                super().take(line)

    def _save(self) -> None:
        run = self._run
        # What shards took is forgotten with their task; of that the row keeps what it had
        now = (self._done, max(self._seconds, run.seconds_worked), self._n_workers)
        if now != (run.n_labelled, run.seconds_worked, run.n_workers):
            run.n_labelled, run.seconds_worked, run.n_workers = now
            run.save(update_fields=["n_labelled", "seconds_worked", "n_workers"])
