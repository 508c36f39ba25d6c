"""A labelling run and its workers: whole shards, each once; what is refused, and what stays when something dies."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from codebook.questions import model_questions
from codebook.schema import Part
from learning.labelling.folder import ShardTexts
from learning.labelling.read import LABEL_SCHEMA
from learning.tasks.contract import LabelResult
from learning.tasks.progress import ShardLine, WorkersLine, read_progress
from ml_backend.labelling.driver import MOST_FAILURES, ShardsFailed
from ml_backend.pools.choice import PoolMisconfigured, labelling_pool
from ml_backend.pools.interface import Cell, CellResult, Outcomes, SetupFailed, Work
from ml_backend.pools.local import LocalPool
from ml_backend.pools.ray import RayPool
from ml_backend.processes import ExitCode
from tests.ml_backend.fixtures import example
from tests.ml_backend.labelling.fixtures import PRACTICES, Place, place_for, trained
from tests.ml_backend.labelling.poison import POISON, PoisonedPool
from tests.ml_backend.pools.here import HerePool

pytestmark = pytest.mark.slow
POST_CODES, REPLY_CODES = (
    [q.code_id for q in model_questions(PRACTICES) if q.part is part] for part in (Part.POST, Part.REPLY)
)


@pytest.fixture(scope="module")
def adapter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of the learner that a worker loads the soonest: how workers behave does not hang on it."""
    return trained(tmp_path_factory.mktemp("adapter"), "majority")


@pytest.fixture
def place(tmp_path: Path, adapter: Path) -> Place:
    return place_for(adapter, tmp_path)


def test_every_shard_is_labelled_with_the_codes_of_its_part(tmp_path: Path) -> None:
    place = place_for(trained(tmp_path / "adapter", "tfidf-logistic"), tmp_path)
    assert place.label(LocalPool(2)) == LabelResult(n_shards=4)
    posts, replies = place.labels(0), place.labels(2)
    assert posts.schema == replies.schema == LABEL_SCHEMA
    assert posts["code"].to_list() == POST_CODES * 5 and set(posts["part"]) == {"post"}
    assert replies["code"].to_list() == REPLY_CODES * 5 and set(replies["part"]) == {"reply"}
    ids = [item for shard in range(4) for item in place.labels(shard)["item_id"].unique(maintain_order=True)]
    assert ids == [example(PRACTICES, n).item_id for n in range(20)]
    lines = read_progress(place.folder.progress).lines
    took = {line.shard: line.seconds for line in lines if isinstance(line, ShardLine)}
    assert took.keys() == {0, 1, 2, 3} and all(seconds > 0 for seconds in took.values())
    assert max(line.n for line in lines if isinstance(line, WorkersLine)) <= 2


def test_an_adapter_that_is_shipped_labels_as_the_one_in_its_folder(place: Place, tmp_path: Path) -> None:
    place.label(LocalPool(2))
    here = {shard: place.run.labels_of(shard).read_bytes() for shard in range(4)}
    shutil.rmtree(place.run.labels)
    place.run.labels.mkdir()
    place.label(HerePool())
    assert here == {shard: place.run.labels_of(shard).read_bytes() for shard in range(4)}


def test_only_what_is_missing_is_labelled(place: Place) -> None:
    place.run.labels_of(2).write_bytes(b"written before")
    assert place.label(HerePool()) == LabelResult(n_shards=3)
    assert place.run.labels_of(2).read_bytes() == b"written before"
    assert place.label(HerePool()) == LabelResult(n_shards=0)


def test_folders_are_listed_once_however_many_shards_there_are(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed, glob = [], Path.glob

    def counted(folder: Path, pattern: str) -> Iterator[Path]:
        listed.append(folder)
        return glob(folder, pattern)

    monkeypatch.setattr(Path, "glob", counted)
    place.label(HerePool())
    folders = (place.run.labels, ShardTexts(place.folder.path).folder)
    assert sorted(each for each in listed if each in folders) == sorted(folders)


@dataclass(frozen=True)
class InstantPool:
    """Its workers take no time, so that the driver's is left; `seconds` are those of its processor at each shard."""

    seconds: list[float]

    def run(self, work: Work, cells: Iterable[Cell], **more: Any) -> Outcomes:
        for cell in cells:
            self.seconds.append(time.process_time())
            yield CellResult(cell.number, cell.payload, 0.0, 0.0, "instant")


@pytest.mark.parametrize("n_shards", [800, pytest.param(40_000, marks=pytest.mark.soak)])
def test_a_shard_costs_the_driver_the_same_among_many(place: Place, n_shards: int) -> None:
    for shard in range(n_shards):
        ShardTexts(place.folder.path).of(shard).write_bytes(b"tiny")
    pool = InstantPool([])
    assert place.label(pool) == LabelResult(n_shards=n_shards)
    quarter = n_shards // 4
    costs = [pool.seconds[start + quarter - 1] - pool.seconds[start] for start in range(0, n_shards, quarter)]
    assert costs[-1] < 1.5 * costs[0], costs


def test_a_shard_that_stops_its_worker_again_and_again_fails_the_run(place: Place) -> None:
    place.stage(2, "reply", [replace(example(PRACTICES, 11).text, item_id=POISON)])
    with pytest.raises(ShardsFailed, match="Shard 2: it stopped its worker 3 times"):
        place.label(PoisonedPool(LocalPool(2)))
    assert place.run.written_shards() == frozenset({0, 1, 3}), "the others are done first"
    place.stage(2, "reply", [example(PRACTICES, 11).text])
    assert place.label(PoisonedPool(LocalPool(2))) == LabelResult(n_shards=1), (
        "started again, it is tried again"
    )


def test_what_one_shard_after_the_other_fails_of_ends_the_run(adapter: Path, tmp_path: Path) -> None:
    place = place_for(adapter, tmp_path, n_shards=3 * MOST_FAILURES)
    for shard in range(1, 3 * MOST_FAILURES):
        ShardTexts(place.folder.path).of(shard).write_bytes(b"no table")
    with pytest.raises(ShardsFailed, match=r"Shards 1, 2, 3.*of the last one"):
        place.label(HerePool())
    assert place.run.written_shards() == frozenset({0})


def test_a_broken_or_another_adapter_is_refused(place: Place, adapter: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(adapter, copy)
    (copy / "learner.json").chmod(0o600)
    (copy / "learner.json").write_bytes(b"forged")
    forged = replace(place, request=msgspec.structs.replace(place.request, adapter_folder=str(copy)))
    for pool in (LocalPool(1), HerePool()):
        with pytest.raises(SetupFailed, match="no intact adapter"):
            forged.label(pool)
    other = replace(place, request=msgspec.structs.replace(place.request, card_hash="another"))
    with pytest.raises(SetupFailed, match="another adapter than the run was started with"):
        other.label(LocalPool(1))
    assert place.run.written_shards() == frozenset()


def test_a_killed_driver_takes_its_workers_along_and_the_next_goes_on(adapter: Path, tmp_path: Path) -> None:
    n = 200
    place = place_for(adapter, tmp_path, n_shards=n)
    with place.start() as driver:
        wait_until(driver, lambda: len(place.run.written_shards()) > 3)
        workers = children_of(driver.pid)
        os.kill(driver.pid, signal.SIGKILL)
        driver.wait()
    deadline = time.monotonic() + 20
    while any(Path(f"/proc/{worker}").exists() for worker in workers):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    before = {shard: place.run.labels_of(shard).stat().st_mtime_ns for shard in place.run.written_shards()}
    assert workers and 3 < len(before) < n
    assert end_of(place.start()) == ExitCode.DONE
    assert place.folder.read_result() == LabelResult(n_shards=n - len(before))
    after = {shard: place.run.labels_of(shard).stat().st_mtime_ns for shard in place.run.written_shards()}
    assert len(after) == n and after | before == after
    ids = [item for shard in range(n) for item in place.labels(shard)["item_id"].unique()]
    assert len(ids) == len(set(ids)) == 5 * n
    assert not place.folder.tries.path.exists()


@pytest.mark.parametrize("how", ["parent", "cancel"])
def test_a_driver_leaves_with_its_workers_when_it_is_told_to(adapter: Path, tmp_path: Path, how: str) -> None:
    place = place_for(adapter, tmp_path, n_shards=400)
    with place.start("--with-parent") as driver:
        wait_until(driver, lambda: bool(place.run.written_shards()))
        workers = children_of(driver.pid)
        if how == "parent":
            assert driver.stdin is not None
            driver.stdin.close()
        else:
            place.folder.stop()
        assert driver.wait(timeout=30) == ExitCode.STOPPED
    deadline = time.monotonic() + 20
    while any(Path(f"/proc/{worker}").exists() for worker in workers):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert not place.folder.tries.path.exists(), "that was no fault of the task"
    assert len(place.run.written_shards()) < 400


def end_of(process: subprocess.Popen[bytes]) -> int:
    with process:
        return process.wait(timeout=120)


def wait_until(process: subprocess.Popen[bytes], is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not is_so():
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.02)


def children_of(pid: int) -> list[int]:
    """Processes that any thread of it started."""
    threads = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for thread in threads for child in thread.read_text().split()]


def test_the_pool_follows_the_cores_unless_it_is_told() -> None:
    assert labelling_pool({}, 4) == LocalPool(4, 1)
    assert labelling_pool({"ML_LABEL_PROCESSES": "1"}, 2) == LocalPool(1, 2)
    assert labelling_pool({"ML_LABEL_PROCESSES": "8"}, 2) == LocalPool(8, 1)
    assert labelling_pool({"ML_LABEL_PROCESSES": "2", "ML_LABEL_THREADS": "3"}, 2) == LocalPool(2, 3)
    cluster = {"ML_LABEL_POOL": "ray", "ML_RAY_ADDRESS": "10.0.0.5:6379"}
    assert labelling_pool(cluster, 2) == RayPool("10.0.0.5:6379")
    assert labelling_pool({"ML_LABEL_POOL": "local", "ML_LABEL_PROCESSES": ""}, 2) == LocalPool(2, 1)
    for name, wrong in (
        ("ML_LABEL_PROCESSES", "0"),
        ("ML_LABEL_PROCESSES", "many"),
        ("ML_LABEL_THREADS", "257"),
        ("ML_LABEL_POOL", "cloud"),
    ):
        with pytest.raises(PoolMisconfigured, match=name):
            labelling_pool({name: wrong}, 2)
