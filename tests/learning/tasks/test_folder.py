"""The folder of a task: whole files, a lock that goes with its process, and a failure that is told once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from learning.tasks.contract import (
    AgreementRequest,
    LabelRequest,
    PredictRequest,
    PredictResult,
    TrainRequest,
    TrainResult,
    is_result_of,
)
from learning.tasks.folder import TaskFolder, TaskUnreadable
from learning.tasks.locks import LockTaken

TRAIN = TrainRequest(release="/r", release_hash="h", learner="majority", config={"input": "alone"}, seed=1)
PREDICT = PredictRequest(adapter_folder="/a", texts="/t")
LABEL = LabelRequest(run_folder="/r", adapter_folder="/a", adapter_id="a", card_hash="c")
AGREEMENT = AgreementRequest(answers="/a", is_retest=False, resamples=10, seed=1)
HOLD = """
import sys, time
from pathlib import Path
from learning.tasks.folder import TaskFolder, TaskUnreadable
with TaskFolder(Path(sys.argv[1])).hold():
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def folder(tmp_path: Path) -> TaskFolder:
    return TaskFolder(tmp_path / "1-study" / "job-7")


@pytest.mark.parametrize("asked", [TRAIN, PREDICT, LABEL, AGREEMENT])
def test_a_request_is_read_as_it_was_written(
    folder: TaskFolder, asked: TrainRequest | PredictRequest | LabelRequest | AgreementRequest
) -> None:
    folder.write_request(asked)
    assert folder.read_request() == asked


def test_the_same_request_again_keeps_its_result_and_another_one_does_not(folder: TaskFolder) -> None:
    folder.write_request(TRAIN)
    folder.write_result(TrainResult(adapter_id="a"))
    folder.write_request(TRAIN)
    assert folder.read_result() == TrainResult(adapter_id="a")
    folder.write_request(PREDICT)
    assert folder.read_result() is None


def test_an_result_is_read_as_it_was_written(folder: TaskFolder) -> None:
    folder.write_request(PREDICT)
    assert folder.read_result() is None
    result = PredictResult(adapter_id="a", predictions="p.parquet", embeddings=None, n_texts=3, n_predicted=2)
    folder.write_result(result)
    assert folder.read_result() == result


def test_a_result_is_that_of_a_kind_of_request() -> None:
    assert is_result_of(TRAIN, TrainResult(adapter_id="a"))
    assert not is_result_of(PREDICT, TrainResult(adapter_id="a"))


def test_what_cannot_be_read_says_what_to_do(folder: TaskFolder) -> None:
    folder.write_request(TRAIN)
    folder.request.write_text('{"type": "dance"}')
    with pytest.raises(TaskUnreadable, match="same version"):
        folder.read_request()


def test_a_failure_is_told_once(folder: TaskFolder) -> None:
    folder.write_request(TRAIN)
    assert folder.take_failure() is None
    folder.write_failure("no memory.")
    assert folder.take_failure() == "no memory."
    assert folder.take_failure() is None


def test_the_lock_goes_with_its_process_however_it_ends(folder: TaskFolder) -> None:
    folder.write_request(TRAIN)
    assert not folder.is_worked_on()
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder.path)], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None and holder.stdout.readline() == "held\n"
    assert folder.is_worked_on()
    with pytest.raises(LockTaken), folder.hold():
        pass
    os.kill(holder.pid, signal.SIGKILL)
    holder.communicate()
    assert not folder.is_worked_on()
    with folder.hold():
        assert folder.is_worked_on()


def test_tries_count_processes_that_began_and_got_no_farther(folder: TaskFolder) -> None:
    folder.write_request(TRAIN)
    assert [folder.tries.begin(), folder.tries.begin()] == [1, 2]
    folder.tries.start_again()
    assert folder.tries.begin() == 2
    folder.tries.end()
    assert folder.tries.begin() == 1


def test_a_task_knows_the_age_of_its_heartbeat(folder: TaskFolder) -> None:
    folder.write_request(TRAIN)
    assert not folder.may_begin(900.0) and not folder.may_go_on(900.0)
    folder.beat()
    os.utime(folder.heartbeat, (900, 900))
    assert [folder.may_begin(now) for now in (960.0, 961.0)] == [True, False]
    assert [folder.may_go_on(now) for now in (1200.0, 1201.0)] == [True, False]


def test_stopping_a_task_that_was_never_written_leaves_nothing(folder: TaskFolder) -> None:
    folder.stop()
    assert not folder.path.exists()
    folder.write_request(TRAIN)
    folder.beat()
    assert folder.may_begin(folder.heartbeat.stat().st_mtime)
    folder.stop()
    assert folder.cancel.exists() and not folder.heartbeat.exists()


def test_kinds_that_take_long_do_not_wait_for_each_other(folder: TaskFolder) -> None:
    assert len({folder.slot(asked) for asked in (TRAIN, PREDICT, LABEL, AGREEMENT)}) == 4
    other = TaskFolder(folder.path.parent.parent / "2-other" / "job-9")
    assert folder.slot(TRAIN) == other.slot(TRAIN)
