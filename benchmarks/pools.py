"""What pools add to the work itself, on this machine: fresh processes, and a Ray cluster that listens on 127.0.0.1.

    python -m benchmarks.pools [--cells N] [--rounds N]
    python -m benchmarks.pools --kills N

First, cells that do nothing: processor time per cell of the driver and its workers, in each quarter of the run, which
has to stay the same. Then cells of about 200 ms, where a shard takes seconds: how many a worker does in a second of its
processor, from its first result to its last, on either pool and in a bare loop. Ways are taken in turn, and the fastest
round of each counts. Fails if a goal is missed.

With `--kills`, workers, drivers and nodes of the cluster are killed so often in all, at random moments of one run, and
the table says what became of its cells.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from ml_backend.pools.interface import Cell, CellFailure, Pool, Work
from ml_backend.pools.local import LocalPool
from ml_backend.pools.ray import RayPool
from tests.ml_backend.pools.loopback_cluster import loopback_cluster
from tests.ml_backend.pools.ray_faults import run_with_kills

WORKERS = 2
QUARTERS = 4
AHEAD = 8
BLOCK = bytes(1 << 20)
# About 200 ms
BLOCKS = 320
N_TIMED = 60
WANTED_SHARE = 0.95
WANTED_GROWTH = 1.25


class Told(msgspec.Struct, frozen=True):
    """What a cell says of the process that it ran in."""

    pid: int
    processor_seconds: float


def tell(payload: bytes) -> bytes:
    """Does nothing but say so."""
    return msgspec.msgpack.encode(Told(os.getpid(), time.process_time()))


def hash_blocks(payload: bytes) -> bytes:
    for _ in range(BLOCKS):
        hashlib.sha256(BLOCK).digest()
    return tell(payload)


@dataclass(slots=True)
class Timed:
    """Processor seconds of a worker at its first and its last result."""

    first: float
    last: float
    n: int = 1


def told_by(pool: Pool, function: Callable[[bytes], bytes], n: int) -> list[tuple[Told, float]]:
    """Each with the processor seconds that the driver had used when it came."""
    found = []
    work = Work(f"benchmarks.pools.{function.__name__}", ahead=AHEAD)
    for outcome in pool.run(work, (Cell(number, b"%d" % number) for number in range(n))):
        if isinstance(outcome, CellFailure):
            raise SystemExit(str(outcome))
        found.append((msgspec.msgpack.decode(outcome.content, type=Told), time.process_time()))
    return found


def by_worker(told: list[Told]) -> dict[int, Timed]:
    found: dict[int, Timed] = {}
    for each in told:
        timed = found.setdefault(each.pid, Timed(each.processor_seconds, each.processor_seconds, 0))
        timed.last, timed.n = each.processor_seconds, timed.n + 1
    return found


def quarters(found: list[tuple[Told, float]]) -> list[float]:
    """Milliseconds per cell of the driver and all workers together."""
    size = len(found) // QUARTERS
    costs = []
    for start in range(0, size * QUARTERS, size):
        part = found[start : start + size]
        workers = sum(timed.last - timed.first for timed in by_worker([told for told, _ in part]).values())
        costs.append(1000 * (part[-1][1] - part[0][1] + workers) / size)
    return costs


def rate(told: list[Told]) -> float:
    """Cells per processor second of a worker."""
    timed = by_worker(told).values()
    return sum(each.n - 1 for each in timed) / sum(each.last - each.first for each in timed)


def bare_rate() -> float:
    return rate([msgspec.msgpack.decode(hash_blocks(b""), type=Told) for _ in range(N_TIMED)])


def compare(pools: dict[str, Pool], n_cells: int, n_rounds: int) -> list[str]:
    """What was missed."""
    missed = []
    print(f"{n_cells:,} cells that do nothing: processor ms per cell, by quarter of the run")
    for name, pool in pools.items():
        since = time.monotonic()
        costs = quarters(told_by(pool, tell, n_cells))
        growth = costs[-1] / costs[0]
        shown = " ".join(f"{cost:.3f}" for cost in costs)
        print(f"  {name:6} {shown}   last/first {growth:.2f}   {time.monotonic() - since:.0f} s by the clock")
        if growth > WANTED_GROWTH:
            missed.append(f"{name}: the last quarter costs {growth:.2f} of the first")
    rates = {"bare": 0.0, **dict.fromkeys(pools, 0.0)}
    for _ in range(n_rounds):
        rates["bare"] = max(rates["bare"], bare_rate())
        for name, pool in pools.items():
            told = [told for told, _ in told_by(pool, hash_blocks, N_TIMED)]
            rates[name] = max(rates[name], rate(told))
    print(f"Cells of {1000 / rates['bare']:.0f} ms: per processor second of a worker, the best of {n_rounds}")
    for name, reference in (("local", "bare"), ("ray", "local")):
        share = rates[name] / rates[reference]
        print(f"  {name:6} {rates[name]:.2f}   of {reference} ({rates[reference]:.2f}): {share:.1%}")
        if share < WANTED_SHARE:
            missed.append(f"{name}: {share:.1%} of {reference}")
    return missed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cells", type=int, default=40_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--kills", type=int, default=0)
    options = parser.parse_args()
    with loopback_cluster(cpus=0 if options.kills else WORKERS) as cluster:
        os.environ.update(cluster.variables)
        if options.kills:
            rng = random.Random(options.kills)
            kinds = [("worker", "driver", "node")[n % 3] for n in range(options.kills)]
            rng.shuffle(kinds)
            with tempfile.TemporaryDirectory() as folder:
                nodes = [cluster.add_node(1), cluster.add_node(1)]
                table = run_with_kills(cluster, nodes, Path(folder), kinds, rng)
            print("\n".join(table.lines()))
            sys.exit(0 if table.is_right() else 1)
        pools: dict[str, Pool] = {"local": LocalPool(WORKERS), "ray": RayPool(cluster.address)}
        missed = compare(pools, options.cells, options.rounds)
    for each in missed:
        print(f"MISSED {each}")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
