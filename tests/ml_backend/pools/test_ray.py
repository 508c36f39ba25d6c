"""Two nodes of a Ray cluster on 127.0.0.1 as a pool. The second has a graphics card, as far as Ray is told."""

from __future__ import annotations

import hashlib
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import psutil  # type: ignore[import-untyped]
import pytest

from learning.tasks.folder import TaskFolder
from learning.tasks.progress import ProgressWriter, SaidLine, loss_curve, read_progress
from ml_backend.labelling.driver import ShardsFailed
from ml_backend.pools.interface import CellResult, Pool, PoolState, SetupFailed, Work
from ml_backend.pools.local import LocalPool
from ml_backend.pools.ray import (
    ClusterOpen,
    RayPool,
    require_closed_cluster,
)
from ml_backend.pools.worker import Raised, Ready
from ml_backend.processes import ROOT, ExitCode
from ml_backend.worker.training import train
from ml_backend.worker.training_cell import train_on_cluster
from tests.ml_backend.fixtures import example, made_release
from tests.ml_backend.labelling.fixtures import PRACTICES, place_for, trained
from tests.ml_backend.labelling.poison import POISON, PoisonedPool
from tests.ml_backend.pools.contract import PoolContract, numbered, work_of
from tests.ml_backend.pools.loopback_cluster import LoopbackCluster, loopback_cluster
from tests.ml_backend.pools.ray_faults import run_with_kills, wait_until, workers_of
from tests.ml_backend.worker.test_process import start, train_request

pytestmark = pytest.mark.slow
LOOPBACK = {"127.0.0.1", "::1", "::ffff:127.0.0.1"}


@pytest.fixture(scope="module")
def cluster() -> Iterator[LoopbackCluster]:
    with loopback_cluster() as found, pytest.MonkeyPatch.context() as patch:
        for name, value in found.variables.items():
            patch.setenv(name, value)
        see_variables_again(patch)
        found.add_node(1)
        found.add_node(1, gpus=1)
        yield found
        import ray

        ray.shutdown()


def see_variables_again(patch: pytest.MonkeyPatch) -> None:
    """Ray looks at its variables when it is loaded, which another test may have done."""
    from ray._raylet import Config  # type: ignore[attr-defined]

    patch.setattr("ray._private.ray_constants.ENABLE_RAY_CLUSTER", False)
    Config.initialize("")


@pytest.fixture
def pool(cluster: LoopbackCluster) -> RayPool:
    return RayPool(cluster.address)


class TestRayPool(PoolContract):
    @pytest.fixture(autouse=True)
    def _pool(self, pool: RayPool) -> None:
        self._given = pool

    def pool(self) -> RayPool:
        return self._given


def told(pool: Pool, n: int) -> list[dict[str, object]]:
    found = pool.run(work_of("tell_environment"), numbered(*[b""] * n))
    return [msgspec.json.decode(each.content) for each in found if isinstance(each, CellResult)]


def test_a_graphics_card_is_one_worker_s_own(cluster: LoopbackCluster) -> None:
    seen = told(RayPool(cluster.address, gpus=1), 6)
    assert [(each["gpus"], each["threads"]) for each in seen] == [("0", "1")] * 6
    assert len({each["pid"] for each in seen}) == 1


def test_a_worker_for_which_no_node_has_room_fails_the_run(cluster: LoopbackCluster) -> None:
    with pytest.raises(SetupFailed, match=r"no node of the cluster had 64 CPUs and 0\.5 GPUs"):
        told(RayPool(cluster.address, threads=64, gpus=0.5, patience_seconds=0.2), 1)


@pytest.mark.usefixtures("cluster")
def test_what_came_to_a_node_with_another_hash_is_refused() -> None:
    from ml_backend.pools.ray_actors import ActorWorker

    digest = hashlib.sha256(b"x").hexdigest()
    work = Work("tests.ml_backend.pools.cells.append", setup="tests.ml_backend.pools.cells.load")
    assert isinstance(ActorWorker().load_shared(work, b"x", digest), Ready)
    refused = ActorWorker().load_shared(work, b"y", digest)
    assert isinstance(refused, Raised) and "another hash" in refused.reason


def test_results_are_those_of_the_local_pool(pool: RayPool) -> None:
    def contents(pool: Pool) -> dict[int, bytes]:
        found = pool.run(work_of("add_up"), numbered(*(b"%d" % n for n in range(12))))
        return {each.number: each.content for each in found if isinstance(each, CellResult)}

    assert len(contents(pool)) == 12 and contents(pool) == contents(LocalPool(2))


def test_a_corpus_is_labelled_as_on_one_machine(pool: RayPool, tmp_path: Path) -> None:
    adapter = trained(tmp_path / "adapter", "tfidf-logistic")
    here, there = place_for(adapter, tmp_path / "here"), place_for(adapter, tmp_path / "there")
    here.label(LocalPool(2))
    assert there.label(pool).n_shards == 4
    for shard in range(4):
        assert there.run.labels_of(shard).read_bytes() == here.run.labels_of(shard).read_bytes()
    there.stage(4, "reply", [replace(example(PRACTICES, 1).text, item_id=POISON)])
    with pytest.raises(ShardsFailed, match="Shard 4: it stopped its worker 3 times"):
        there.label(PoisonedPool(pool))


def test_a_training_on_the_cluster_is_the_one_of_this_machine(pool: RayPool, tmp_path: Path) -> None:
    request = train_request(made_release(tmp_path / "release", PRACTICES, 30), "majority")
    folder = TaskFolder(tmp_path / "there")
    folder.write_request(request)
    found = train_on_cluster(folder, request, ProgressWriter(folder.progress), pool)
    here = TaskFolder(tmp_path / "here")
    here.write_request(request)
    assert found == train(here, request, ProgressWriter(here.progress))


def test_a_training_on_the_cluster_is_live_survives_a_death_and_can_be_cancelled(
    cluster: LoopbackCluster, tmp_path: Path, tiny_backbone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ML_LABEL_POOL", "ray")
    monkeypatch.setenv("ML_RAY_ADDRESS", cluster.address)
    config = {"backbone": tiny_backbone, "epochs": 5000, "patience": 5000, "max_tokens": 64}
    request = train_request(made_release(tmp_path / "release", PRACTICES, 30), "encoder-lora")
    folder = TaskFolder(tmp_path / "s" / "job-1")
    folder.write_request(msgspec.structs.replace(request, config=config))
    folder.beat()
    with start(folder) as process:
        wait_until(lambda: bool(loss_curve(read_progress(folder.progress).lines)), "there is a live curve")
        wait_until(lambda: any(folder.checkpoint.glob("*.safetensors")), "there is a checkpoint")
        assert process.poll() is None
        for worker in workers_of(cluster):
            worker.kill()
        assert process.wait(120) == ExitCode.DIED
    assert folder.tries.path.exists(), "it counts as a process that died in the middle"
    assert folder.take_failure() is None and folder.read_result() is None
    offset = read_progress(folder.progress).offset

    def has_gone_on() -> bool:
        said = [line for line in read_progress(folder.progress, offset).lines if isinstance(line, SaidLine)]
        return any(line.text.startswith("Going on from a checkpoint") for line in said)

    folder.beat()
    with start(folder) as process:
        wait_until(has_gone_on, "the next worker goes on from the checkpoint")
        folder.stop()
        assert process.wait(60) == ExitCode.STOPPED
    wait_until(lambda: not workers_of(cluster), "no worker is left")


def test_a_full_cluster_that_loses_a_worker_finishes_and_listens_on_this_machine_alone(
    cluster: LoopbackCluster, pool: RayPool
) -> None:
    states: list[PoolState] = []
    found = []
    for outcome in pool.run(work_of("sleep"), numbered(*[b"0.2"] * 16), report=states.append):
        found.append(outcome.number)
        if len(found) == 3:
            here = {each for process in cluster.processes() for each in _listening(process)}
            here |= _listening(psutil.Process())
            workers_of(cluster)[0].kill()
    assert sorted(found) == list(range(16)) and states[-1].n_lost_workers == 1
    assert max(state.n_workers + state.n_starting for state in states) == 2
    assert here and here <= LOOPBACK


def _listening(process: psutil.Process) -> set[str]:
    try:
        sockets = process.net_connections("inet")
    except psutil.NoSuchProcess:
        return set()
    return {each.laddr.ip for each in sockets if each.status == psutil.CONN_LISTEN}


def test_a_node_that_joins_takes_work_and_one_that_leaves_is_not_waited_for(
    cluster: LoopbackCluster, pool: RayPool
) -> None:
    states: list[PoolState] = []
    outcomes = pool.run(work_of("sleep"), numbered(*[b"0.05"] * 4000), report=states.append)
    next(outcomes)
    node = cluster.add_node(1)
    seen = set()
    for outcome in outcomes:
        assert isinstance(outcome, CellResult)
        seen.add(outcome.worker)
        if len(seen) == 3:
            break
    assert states[-1].n_workers == 3
    cluster.kill_node(node)
    for n_done, outcome in enumerate(outcomes, start=1):
        assert isinstance(outcome, CellResult)
        if states[-1].n_lost_workers and n_done >= 10:
            break
    outcomes.close()
    assert states[-1].n_workers == 2


@pytest.mark.parametrize("n_each", [1, pytest.param(7, marks=pytest.mark.soak)])
def test_every_text_is_labelled_once_whatever_is_killed(
    cluster: LoopbackCluster, tmp_path: Path, n_each: int, request: pytest.FixtureRequest
) -> None:
    rng = random.Random(n_each)
    kinds = ["worker", "driver", "node"] * n_each
    rng.shuffle(kinds)
    table = run_with_kills(cluster, [cluster.add_node(1)], tmp_path, kinds, rng)
    assert table.kills.total() == 3 * n_each and table.n_drivers == 1 + n_each
    assert table.is_right(), table


@pytest.mark.soak
def test_pools_cost_little_beside_the_work() -> None:
    """By processor time: a worker of this machine does 95% of a bare loop, one of Ray 95% of that, and the last of
    40,000 cells costs what the first does."""
    command = [sys.executable, "-m", "benchmarks.pools", "--rounds", "2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_an_open_cluster_is_refused() -> None:
    with loopback_cluster(mode="disabled") as found, pytest.raises(ClusterOpen, match="lets everybody in"):
        require_closed_cluster(found.address, found.variables)
