"""Kills workers, drivers and nodes of a Ray cluster at random moments of one run, and tells what became of its cells.

Run as a module it is the driver: it keeps each result under its number, and leaves out what is kept.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import psutil  # type: ignore[import-untyped]

from ml_backend.pools.interface import Cell, CellFailure, Work
from ml_backend.pools.ray import RayPool
from ml_backend.processes import ROOT
from tests.ml_backend.pools import cells as functions
from tests.ml_backend.pools.loopback_cluster import LoopbackCluster

CELL_SECONDS = 0.1
# At most so many cells wait for the kills to end
N_LAST = 4
PATIENCE_SECONDS = 120


class RunNotDone(RuntimeError):
    pass


@dataclass(slots=True)
class FaultTable:
    n_cells: int
    kills: Counter[str] = field(default_factory=Counter)
    n_kept: int = 0
    n_wrong: int = 0
    n_drivers: int = 0
    seconds: float = 0.0

    def is_right(self) -> bool:
        return (self.n_kept, self.n_wrong) == (self.n_cells, 0)

    def lines(self) -> list[str]:
        rows = [
            *((f"kills of a {kind}", str(n)) for kind, n in sorted(self.kills.items())),
            ("drivers started", str(self.n_drivers)),
            ("cells", f"{self.n_cells:,}"),
            ("results kept, each once", f"{self.n_kept:,}"),
            ("results that are wrong", str(self.n_wrong)),
            ("seconds", f"{self.seconds:.0f}"),
        ]
        return ["| what | n |", "|---|--:|", *(f"| {name} | {value} |" for name, value in rows)]


def run_with_kills(
    cluster: LoopbackCluster, nodes: list[int], folder: Path, kinds: list[str], rng: random.Random
) -> FaultTable:
    """`nodes` of one CPU may be killed, each is replaced by another."""
    table = FaultTable(n_cells=20 * len(kinds) + N_LAST)
    since, gate = time.monotonic(), folder / "gate"
    driver = _start_driver(cluster, folder, table)
    try:
        for kind in kinds:
            wait_until(lambda: bool(workers_of(cluster)), "there are workers")
            time.sleep(rng.uniform(0.1, 1.0))
            if kind == "worker":
                wait_until(lambda: bool(workers_of(cluster)), "there are workers")
                _kill(rng.choice(workers_of(cluster)))
            elif kind == "node":
                place = rng.randrange(len(nodes))
                cluster.kill_node(nodes[place])
                nodes[place] = cluster.add_node(1)
            else:
                before = workers_of(cluster)
                driver.kill()
                driver.wait()
                wait_until(partial(_have_ended, before), "the workers of a dead driver have ended")
                driver = _start_driver(cluster, folder, table)
            table.kills[kind] += 1
        gate.touch()
        if driver.wait(PATIENCE_SECONDS):
            raise RunNotDone(f"The driver ended with code {driver.returncode}.")
    finally:
        driver.kill()
        driver.wait()
    kept = [path for path in folder.iterdir() if path.name.isdecimal()]
    table.n_kept = len(kept)
    table.n_wrong = sum(
        path.read_bytes() != _expected(folder, table.n_cells, int(path.name)) for path in kept
    )
    wait_until(lambda: not workers_of(cluster), "no worker is left")
    table.seconds = time.monotonic() - since
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


def _payload(folder: Path, n_cells: int, number: int) -> bytes:
    path = folder / "gate" if number >= n_cells - N_LAST else ""
    return f"{path}:{CELL_SECONDS}".encode()


def _expected(folder: Path, n_cells: int, number: int) -> bytes:
    return _payload(folder, n_cells, number)[::-1]


def _start_driver(cluster: LoopbackCluster, folder: Path, table: FaultTable) -> subprocess.Popen[bytes]:
    table.n_drivers += 1
    return subprocess.Popen(
        [sys.executable, "-m", __name__, cluster.address, str(folder), str(table.n_cells)],
        cwd=ROOT,
        env={**os.environ, **cluster.variables},
    )


def main(address: str, folder: Path, n_cells: int) -> None:
    """Ends with an error if a cell fails, or if a result is there already."""
    pending = [n for n in range(n_cells) if not (folder / str(n)).exists()]
    cells = (Cell(n, _payload(folder, n_cells, n)) for n in pending)
    work = Work(f"{functions.__name__}.sleep_until_there")
    # Any number of kills may hit the same cell
    for outcome in RayPool(address).run(work, cells, tries=1000):
        if isinstance(outcome, CellFailure):
            raise RunNotDone(str(outcome))
        part = folder / f"{outcome.number}.part"
        part.write_bytes(outcome.content)
        os.link(part, folder / str(outcome.number))
        part.unlink()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
