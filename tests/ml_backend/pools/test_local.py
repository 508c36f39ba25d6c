"""Processes of this machine as a pool."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from ml_backend.pools.interface import CellResult
from ml_backend.pools.local import LocalPool
from ml_backend.processes import ROOT
from tests.ml_backend.pools.contract import PoolContract, numbered, work_of

pytestmark = pytest.mark.slow


class TestLocalPool(PoolContract):
    def pool(self) -> LocalPool:
        return LocalPool(workers=2)


def told(pool: LocalPool, n: int = 1) -> list[dict[str, object]]:
    found = pool.run(work_of("tell_environment"), numbered(*[b""] * n))
    return [msgspec.json.decode(each.content) for each in found if isinstance(each, CellResult)]


def test_workers_are_fresh_processes_with_as_many_threads_as_asked() -> None:
    seen = told(LocalPool(workers=2, threads=3), 4)
    assert {each["threads"] for each in seen} == {"3"}
    assert os.getpid() not in {each["pid"] for each in seen} and len({each["pid"] for each in seen}) <= 2


def test_no_worker_is_left_when_who_iterates_leaves() -> None:
    outcomes = LocalPool(workers=2).run(work_of("tell_environment"), numbered(*[b""] * 50))
    first = next(outcomes)
    assert isinstance(first, CellResult)
    pid = msgspec.json.decode(first.content)["pid"]
    outcomes.close()
    assert not Path(f"/proc/{pid}").exists()


DRIVER = """
from ml_backend.pools.interface import Cell, Work
from ml_backend.pools.local import LocalPool

cells = [Cell(0, b"0"), Cell(1, b"600"), Cell(2, b"600")]
for each in LocalPool(2).run(Work("tests.ml_backend.pools.cells.sleep"), cells):
    print(each.worker, flush=True)
"""


def test_no_worker_is_left_when_the_driver_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", DRIVER], cwd=ROOT, stdout=subprocess.PIPE) as driver:
        assert driver.stdout is not None
        pid = int(driver.stdout.readline().decode().rpartition("-")[2])
        driver.kill()
        driver.wait()
    deadline = time.monotonic() + 20
    while Path(f"/proc/{pid}").exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
