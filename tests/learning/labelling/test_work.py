"""The folder that processes share: who takes which shard, and what stays when one dies."""

from __future__ import annotations

import socket
from pathlib import Path

from learning.labelling.folder import RunFolder
from learning.labelling.work import LabelRequest, ShardCost, WorkFolder
from learning.tasks.locks import hold_lock


def place(tmp_path: Path, n: int) -> tuple[WorkFolder, RunFolder]:
    work, run = WorkFolder(tmp_path / "work"), RunFolder(tmp_path / "run")
    request = LabelRequest(run_folder=str(run.path), adapter_folder="a", adapter_id="a", card_hash="c")
    work.write_request(request)
    assert work.read_request() == request
    run.labels.mkdir(parents=True)
    work.texts_of(0).parent.mkdir()
    for shard in range(n):
        work.texts_of(shard).touch()
    return work, run


def test_no_shard_is_taken_by_two(tmp_path: Path) -> None:
    work, run = place(tmp_path, 3)
    first, second = work.take_shards(run), work.take_shards(run)
    assert (next(first), next(second)) == (0, 1)
    run.labels_of(0).touch()
    assert next(first) == 2
    run.labels_of(2).touch()
    assert list(first) == [], "the other one has what is left"
    second.close()
    assert next(work.take_shards(run)) == 1, "who leaves a shard without labels leaves it to the next"


def test_what_a_process_died_of_comes_last(tmp_path: Path) -> None:
    work, run = place(tmp_path, 3)
    assert work.tries("00000").begin() == 1
    assert work.tries("00000").begin() == 2
    assert work.pending(run) == [1, 2, 0]
    work.tries("00000").end()
    assert work.pending(run) == [0, 1, 2]
    run.labels_of(1).touch()
    assert work.pending(run) == [0, 2]


def test_presence_ends_with_the_process(tmp_path: Path) -> None:
    work, _ = place(tmp_path, 1)
    assert work.present() == []
    with work.presence():
        assert len(work.present()) == 1
    assert work.present() == []


def test_only_processes_of_this_machine_share_its_time(tmp_path: Path) -> None:
    work, _ = place(tmp_path, 1)
    assert work.n_on_this_machine() == 1
    here, elsewhere = f"{socket.gethostname()}-1", "elsewhere-1"
    with (
        work.presence(),
        hold_lock(work.path / "present" / here),
        hold_lock(work.path / "present" / elsewhere),
    ):
        assert work.n_on_this_machine() == 2


def test_what_died_while_it_loaded_is_told_from_what_loads(tmp_path: Path) -> None:
    work, _ = place(tmp_path, 1)
    work.tries("loading-elsewhere-1").begin()
    work.tries("loading-elsewhere-2").begin()
    with hold_lock(work.path / "present" / "elsewhere-2"):
        assert work.begin_loading() == 1
        work.end_loading()
        assert work.begin_loading() == 0
    assert work.tries("loading-elsewhere-2").count() == 1


def test_what_a_shard_took_is_read_back(tmp_path: Path) -> None:
    work, _ = place(tmp_path, 1)
    assert work.read_cost(0) is None
    work.write_cost(0, ShardCost(12, 3.5, "here"))
    assert work.read_cost(0) == ShardCost(12, 3.5, "here")
    work.remove_texts()
    assert not work.texts_of(0).exists() and work.read_cost(0) is not None
