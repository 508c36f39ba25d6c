"""Processes that label: whole shards, each once; what they refuse, and when they leave or never begin."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pytest

from annotation.answers import ItemText
from codebook.questions import model_questions
from codebook.schema import Part
from codebook.shipped import load_shipped
from learning.adapters.card import CARD
from learning.adapters.folder import read_card
from learning.labelling.folder import RunFolder
from learning.labelling.read import LABEL_SCHEMA
from learning.labelling.staging import TEXT_SCHEMA
from learning.labelling.work import LOADING, LabelRequest, WorkFolder
from learning.tasks.folder import TaskFolder
from learning.tasks.locks import hold_lock
from learning.tasks.progress import ProgressWriter
from ml_backend.labelling.labellers import Labellers
from ml_backend.labelling.process import MOST_LOADS, MOST_TRIES
from ml_backend.labelling.process_slots import ProcessSlots, SlotsMisconfigured, slots_here
from ml_backend.processes import Children, ExitCode
from ml_backend.worker.kinds import work_on
from tests.ml_backend.scene import example, made_release
from tests.ml_backend.worker.test_process import train_request

pytestmark = pytest.mark.slow
PRACTICES = load_shipped("empathy-practices")
ROOT = Path(__file__).resolve().parents[3]
POST_CODES, REPLY_CODES = (
    [q.code_id for q in model_questions(PRACTICES) if q.part is part] for part in (Part.POST, Part.REPLY)
)


@dataclass(frozen=True)
class Place:
    work: WorkFolder
    run: RunFolder

    def labels(self, shard: int) -> pl.DataFrame:
        return pl.read_parquet(self.run.labels_of(shard))


def trained(home: Path, learner: str) -> Path:
    folder = TaskFolder(home / "s" / "job-1")
    request = train_request(made_release(home / "release", PRACTICES, 30), learner)
    folder.write_request(request)
    work_on(folder, request, ProgressWriter(folder.progress))
    return folder.adapter


@pytest.fixture(scope="module")
def adapter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of the learner that a process loads the soonest: how processes behave does not hang on it."""
    return trained(tmp_path_factory.mktemp("adapter"), "majority")


@pytest.fixture
def place(tmp_path: Path, adapter: Path) -> Place:
    return place_for(adapter, tmp_path)


def place_for(adapter: Path, tmp_path: Path) -> Place:
    """A shard of posts, one of replies, and two more."""
    found = Place(
        WorkFolder(tmp_path / "ml" / "s" / "labelling-1"), RunFolder(tmp_path / "labelled" / "run-1")
    )
    card = hashlib.sha256((adapter / CARD).read_bytes()).hexdigest()
    request = LabelRequest(
        run_folder=str(found.run.path),
        adapter_folder=str(adapter),
        adapter_id=read_card(adapter).id,
        card_hash=card,
    )
    found.work.write_request(request)
    found.run.labels.mkdir(parents=True)
    found.work.texts_of(0).parent.mkdir()
    for shard in range(4):
        part = "post" if shard == 0 else "reply"
        stage(found.work, shard, part, [example(PRACTICES, 10 * shard + n).text for n in range(5)])
    found.work.beat()
    return found


def stage(work: WorkFolder, shard: int, part: str, texts: Sequence[ItemText]) -> None:
    rows = [
        (text.item_id, part, text.title, text.post, text.reply if part == "reply" else None) for text in texts
    ]
    pl.DataFrame(rows, schema=TEXT_SCHEMA, orient="row").write_parquet(work.texts_of(shard))


def start(work: WorkFolder, *options: str, processes: int = 2) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "ml_backend", "label", str(work.path), *options],
        stdin=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "ML_LABEL_PROCESSES": str(processes)},
    )


def end_of(work: WorkFolder) -> int:
    with start(work) as process:
        return process.wait(timeout=60)


def test_every_shard_is_labelled_with_the_codes_of_its_part(tmp_path: Path) -> None:
    place = place_for(trained(tmp_path / "adapter", "tfidf-logistic"), tmp_path)
    assert end_of(place.work) == ExitCode.DONE
    assert place.run.written_shards() == frozenset(range(4))
    posts, replies = place.labels(0), place.labels(2)
    assert posts.schema == replies.schema == LABEL_SCHEMA
    assert posts["code"].to_list() == POST_CODES * 5 and set(posts["part"]) == {"post"}
    assert replies["code"].to_list() == REPLY_CODES * 5 and set(replies["part"]) == {"reply"}
    assert posts["item_id"].unique(maintain_order=True).to_list() == [
        example(PRACTICES, n).item_id for n in range(5)
    ]
    worked = [place.work.read_cost(shard) for shard in range(4)]
    assert all(each is not None and each.n_units == 5 and each.seconds > 0 for each in worked)
    assert place.work.present() == [] and place.work.tries("00000").count() == 0


def test_two_processes_share_the_shards(place: Place) -> None:
    with start(place.work) as first, start(place.work) as second:
        assert {first.wait(timeout=60), second.wait(timeout=60)} == {ExitCode.DONE}
    assert place.run.written_shards() == frozenset(range(4))
    ids = [item for shard in range(4) for item in place.labels(shard)["item_id"].unique()]
    assert len(ids) == len(set(ids)) == 20


def test_a_machine_without_room_takes_no_part(place: Place) -> None:
    with ProcessSlots(1, 1).take(place.work.path), start(place.work, processes=1) as process:
        assert process.wait(timeout=60) == ExitCode.BUSY
    assert place.run.written_shards() == frozenset()


def test_nothing_is_begun_that_nobody_wants(place: Place) -> None:
    place.work.heartbeat.unlink()
    assert end_of(place.work) == ExitCode.ABANDONED
    place.work.beat()
    place.work.cancel.touch()
    assert end_of(place.work) == ExitCode.ABANDONED


def test_a_shard_that_stops_its_process_again_and_again_fails_the_run(place: Place) -> None:
    for _ in range(MOST_TRIES):
        place.work.tries("00002").begin()
    assert end_of(place.work) == ExitCode.FAILED
    assert place.run.written_shards() == frozenset({0, 1, 3}), "the others are done first"
    reason = place.work.take_failure() or ""
    assert "Shard 2 stopped its process 3 times" in reason
    assert end_of(place.work) == ExitCode.DONE, "started again, it is tried again"


def test_loading_that_stops_the_process_fails_the_run(place: Place) -> None:
    for number in range(MOST_LOADS):
        place.work.tries(f"{LOADING}gone-{number}").begin()
    assert end_of(place.work) == ExitCode.FAILED
    assert "Loading the adapter stopped its process" in (place.work.take_failure() or "")


def test_many_processes_that_load_at_once_have_not_stopped(place: Place) -> None:
    with ExitStack() as others:
        for number in range(2 * MOST_LOADS):
            others.enter_context(hold_lock(place.work.path / "present" / f"elsewhere-{number}"))
            place.work.tries(f"{LOADING}elsewhere-{number}").begin()
        assert end_of(place.work) == ExitCode.DONE


def test_a_kill_counts_against_the_shard_alone(place: Place) -> None:
    """Held in the middle of a shard, whose file of texts is a pipe that nobody fills."""
    place.work.texts_of(1).unlink()
    os.mkfifo(place.work.texts_of(1))
    with start(place.work) as process:
        deadline = time.monotonic() + 60
        while not place.work.tries("00001").count():
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert place.run.written_shards() == frozenset({0})
    assert place.work.tries("00001").count() == 1 and place.work.present() == []
    place.work.texts_of(1).unlink()
    stage(place.work, 1, "reply", [example(PRACTICES, 10 + n).text for n in range(5)])
    assert end_of(place.work) == ExitCode.DONE
    assert place.run.written_shards() == frozenset(range(4)) and place.work.tries("00001").count() == 0


def test_a_process_leaves_with_its_parent_and_when_it_is_told_to(place: Place) -> None:
    place.work.texts_of(0).unlink()
    os.mkfifo(place.work.texts_of(0))
    with start(place.work, "--with-parent") as child:
        wait_for_try(place.work, child)
        assert child.stdin is not None
        child.stdin.close()
        assert child.wait(timeout=30) == ExitCode.STOPPED
    with start(place.work) as told:
        wait_for_try(place.work, told)
        place.work.heartbeat.unlink()
        assert told.wait(timeout=30) == ExitCode.STOPPED
    assert place.work.tries("00000").count() == 0, "that was no fault of the shard"


def wait_for_try(work: WorkFolder, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while not work.tries("00000").count():
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.02)


def test_a_broken_or_another_adapter_is_refused(place: Place, adapter: Path, tmp_path: Path) -> None:
    request = place.work.read_request()
    copy = tmp_path / "copy"
    subprocess.run(["cp", "-r", str(adapter), str(copy)], check=True)
    (copy / "learner.json").write_bytes(b"forged")
    place.work.write_request(
        LabelRequest(
            run_folder=request.run_folder,
            adapter_folder=str(copy),
            adapter_id=request.adapter_id,
            card_hash=request.card_hash,
        )
    )
    assert end_of(place.work) == ExitCode.FAILED
    assert "no intact adapter" in (place.work.take_failure() or "")
    place.work.write_request(
        LabelRequest(
            run_folder=request.run_folder,
            adapter_folder=str(adapter),
            adapter_id=request.adapter_id,
            card_hash="another",
        )
    )
    assert end_of(place.work) == ExitCode.FAILED
    assert "another adapter than the run was started with" in (place.work.take_failure() or "")
    assert place.run.written_shards() == frozenset()


def test_a_worker_starts_no_more_than_there_is_room_for(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ML_LABEL_PROCESSES", "1")
    children = Children()
    labellers = Labellers(children)
    assert labellers.join_in(place.work.path) == 1
    assert labellers.join_in(place.work.path) == 0, "one has just begun"
    deadline = time.monotonic() + 60
    while len(place.run.written_shards()) < 4:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert labellers.join_in(place.work.path) == 0, "nothing is left"
    assert labellers.join_in(place.work.path / "gone") == 0
    children.stop()


def test_room_follows_the_cores_unless_it_is_told() -> None:
    assert ProcessSlots.of_machine({}, 4) == ProcessSlots(4, 1)
    assert ProcessSlots.of_machine({"ML_LABEL_PROCESSES": "1"}, 2) == ProcessSlots(1, 2)
    assert ProcessSlots.of_machine({"ML_LABEL_PROCESSES": "8"}, 2) == ProcessSlots(8, 1)
    for wrong in ("0", "many", "257"):
        with pytest.raises(SlotsMisconfigured, match="ML_LABEL_PROCESSES"):
            ProcessSlots.of_machine({"ML_LABEL_PROCESSES": wrong}, 2)
    assert slots_here().processes >= 1


def test_a_process_with_a_parent_ends_well_by_itself(place: Place) -> None:
    with start(place.work, "--with-parent") as process:
        assert process.wait(timeout=60) == ExitCode.DONE
