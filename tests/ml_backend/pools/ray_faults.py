"""Kills workers, drivers and nodes of a Ray cluster at random moments of one labelling run, and counts its labels.

Run as a module it is the driver, on shards that take a while each.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]

from learning.labelling.staging import read_texts
from learning.tasks.contract import LabelRequest
from learning.tasks.folder import TaskFolder
from learning.tasks.progress import ProgressWriter
from ml_backend.labelling.driver import label
from ml_backend.labelling.shards import ShardLabeller, label_shard
from ml_backend.pools.interface import Cell, Outcomes, Pool, Work
from ml_backend.pools.ray import RayPool
from ml_backend.processes import ROOT
from tests.ml_backend.fixtures import example
from tests.ml_backend.labelling.fixtures import PRACTICES, Place, place_for, trained
from tests.ml_backend.pools.here import HerePool
from tests.ml_backend.pools.loopback_cluster import LoopbackCluster

SHARD_SECONDS = 0.1
# At most so many shards wait for the kills to end
N_LAST = 4
PATIENCE_SECONDS = 500


class RunNotDone(RuntimeError):
    pass


@dataclass(slots=True)
class FaultTable:
    """`n_once` texts have the labels that they have on one machine, once; `n_other` are there twice, or otherwise."""

    n_shards: int
    kills: Counter[str] = field(default_factory=Counter)
    n_texts: int = 0
    n_once: int = 0
    n_other: int = 0
    n_drivers: int = 0
    seconds: float = 0.0

    def is_right(self) -> bool:
        return 0 < self.n_texts == self.n_once and not self.n_other

    def lines(self) -> list[str]:
        rows = [
            *((f"kills of a {kind}", str(n)) for kind, n in sorted(self.kills.items())),
            ("drivers started", str(self.n_drivers)),
            ("shards", f"{self.n_shards:,}"),
            ("texts", f"{self.n_texts:,}"),
            ("labelled once, as on one machine", f"{self.n_once:,}"),
            ("labelled twice or otherwise", str(self.n_other)),
            ("seconds", f"{self.seconds:.0f}"),
        ]
        return ["| what | n |", "|---|--:|", *(f"| {name} | {value} |" for name, value in rows)]


def run_with_kills(
    cluster: LoopbackCluster, nodes: list[int], folder: Path, kinds: list[str], rng: random.Random
) -> FaultTable:
    """`nodes` of one CPU may be killed, each is replaced by another."""
    table = FaultTable(n_shards=8 * len(kinds) + N_LAST)
    adapter, gate = trained(folder / "adapter", "majority"), folder / "gate"
    place = _staged(adapter, folder / "run", table.n_shards, gate)
    since = time.monotonic()
    driver = _start_driver(cluster, place, table)
    try:
        for kind in kinds:
            wait_until(lambda: bool(workers_of(cluster)), "there are workers")
            time.sleep(rng.uniform(0.1, 1.0))
            if kind == "worker":
                wait_until(lambda: bool(workers_of(cluster)), "there are workers")
                _kill(rng.choice(workers_of(cluster)))
            elif kind == "node":
                which = rng.randrange(len(nodes))
                cluster.kill_node(nodes[which])
                nodes[which] = cluster.add_node(1)
            else:
                before = workers_of(cluster)
                driver.kill()
                driver.wait()
                wait_until(partial(_have_ended, before), "the workers of a dead driver have ended")
                driver = _start_driver(cluster, place, table)
            table.kills[kind] += 1
        gate.touch()
        if driver.wait(PATIENCE_SECONDS):
            raise RunNotDone(f"The driver ended with code {driver.returncode}.")
    finally:
        driver.kill()
        driver.wait()
    table.seconds = time.monotonic() - since
    _count(table, place, _staged(adapter, folder / "alone", table.n_shards, gate))
    wait_until(lambda: not workers_of(cluster), "no worker is left")
    return table


def wait_until(is_so: Callable[[], bool], what: str, seconds: float = PATIENCE_SECONDS) -> None:
    deadline = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > deadline:
            raise RunNotDone(f"It took more than {seconds:g} seconds until {what}.")
        time.sleep(0.05)


def _have_ended(processes: Sequence[psutil.Process]) -> bool:
    return not any(process.is_running() for process in processes)


def _kill(process: psutil.Process) -> None:
    with suppress(psutil.NoSuchProcess):
        process.kill()


def workers_of(cluster: LoopbackCluster) -> list[psutil.Process]:
    found = []
    for process in cluster.processes():
        try:
            if process.name().startswith("ray::ActorWork"):
                found.append(process)
        except psutil.NoSuchProcess:
            continue
    return found


def _staged(adapter: Path, home: Path, n_shards: int, gate: Path) -> Place:
    """The texts of the last shards name the gate."""
    place = place_for(adapter, home, n_shards)
    for shard in range(n_shards - N_LAST, n_shards):
        texts = [example(PRACTICES, 5 * shard + n).text for n in range(5)]
        place.stage(shard, "reply", [replace(text, post=str(gate)) for text in texts])
    return place


def _count(table: FaultTable, place: Place, alone: Place) -> None:
    alone.label(HerePool())
    for shard in range(table.n_shards):
        expected = alone.labels(shard)
        found = place.labels(shard) if shard in place.run.written_shards() else expected.clear()
        rows = {text.item(0, "item_id"): text for text in found.partition_by("item_id")}
        table.n_texts += expected["item_id"].n_unique()
        for text in expected.partition_by("item_id"):
            own = rows.pop(text.item(0, "item_id"), None)
            table.n_once += own is not None and own.equals(text)
            table.n_other += own is not None and not own.equals(text)
        table.n_other += len(rows)


def _start_driver(cluster: LoopbackCluster, place: Place, table: FaultTable) -> subprocess.Popen[bytes]:
    table.n_drivers += 1
    return subprocess.Popen(
        [sys.executable, "-m", __name__, cluster.address, str(place.folder.path)],
        cwd=ROOT,
        env={**os.environ, **cluster.variables},
    )


def label_slowly(labeller: ShardLabeller, texts: bytes) -> bytes:
    post = read_texts(texts)[1][0].post
    time.sleep(SHARD_SECONDS)
    while post.startswith("/") and not Path(post).exists():
        time.sleep(0.05)
    return label_shard(labeller, texts)


@dataclass(frozen=True)
class SlowPool:
    """Any number of kills may hit the same shard."""

    pool: Pool

    def run(self, work: Work, cells: Iterable[Cell], **more: Any) -> Outcomes:
        return self.pool.run(replace(work, function=LABEL_SLOWLY, tries=1000), cells, **more)


LABEL_SLOWLY = "tests.ml_backend.pools.ray_faults.label_slowly"


def main(address: str, folder: TaskFolder) -> None:
    request = folder.read_request()
    assert isinstance(request, LabelRequest)
    label(folder, request, ProgressWriter(folder.progress), SlowPool(RayPool(address)))


if __name__ == "__main__":
    main(sys.argv[1], TaskFolder(Path(sys.argv[2])))
