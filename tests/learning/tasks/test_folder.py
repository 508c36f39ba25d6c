"""The folder of an order: whole files, a lock that goes with its process, and a failure that is told once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from learning.tasks.folder import OrderFolder, OrderUnreadable
from learning.tasks.locks import LockTaken
from learning.tasks.orders import PredictAnswer, PredictOrder, TrainAnswer, TrainOrder

TRAIN = TrainOrder(release="/r", release_hash="h", learner="majority", config={"input": "alone"}, seed=1)
PREDICT = PredictOrder(adapter_folder="/a", texts="/t")
HOLD = """
import sys, time
from pathlib import Path
from learning.tasks.folder import OrderFolder
with OrderFolder(Path(sys.argv[1])).hold():
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def folder(tmp_path: Path) -> OrderFolder:
    return OrderFolder(tmp_path / "1-study" / "job-7")


@pytest.mark.parametrize("order", [TRAIN, PREDICT])
def test_an_order_is_read_as_it_was_written(folder: OrderFolder, order: TrainOrder | PredictOrder) -> None:
    folder.write_order(order)
    assert folder.read_order() == order


def test_the_same_order_again_keeps_its_answer_and_another_one_does_not(folder: OrderFolder) -> None:
    folder.write_order(TRAIN)
    folder.write_answer(TrainAnswer(adapter_id="a"))
    folder.write_order(TRAIN)
    assert folder.read_answer() == TrainAnswer(adapter_id="a")
    folder.write_order(PREDICT)
    assert folder.read_answer() is None


def test_an_answer_is_read_as_it_was_written(folder: OrderFolder) -> None:
    folder.write_order(PREDICT)
    assert folder.read_answer() is None
    answer = PredictAnswer(adapter_id="a", predictions="p.parquet", embeddings=None, n_texts=3, n_predicted=2)
    folder.write_answer(answer)
    assert folder.read_answer() == answer


def test_what_cannot_be_read_says_what_to_do(folder: OrderFolder) -> None:
    folder.write_order(TRAIN)
    folder.order.write_text('{"type": "dance"}')
    with pytest.raises(OrderUnreadable, match="same version"):
        folder.read_order()


def test_a_failure_is_told_once(folder: OrderFolder) -> None:
    folder.write_order(TRAIN)
    assert folder.take_failure() is None
    folder.write_failure("no memory.")
    assert folder.take_failure() == "no memory."
    assert folder.take_failure() is None


def test_the_lock_goes_with_its_process_however_it_ends(folder: OrderFolder) -> None:
    folder.write_order(TRAIN)
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


def test_tries_count_processes_that_began_and_got_no_farther(folder: OrderFolder) -> None:
    folder.write_order(TRAIN)
    assert [folder.begin_try(), folder.begin_try()] == [1, 2]
    folder.got_farther()
    assert folder.begin_try() == 2
    folder.end_try()
    assert folder.begin_try() == 1


def test_an_order_knows_for_how_long_nobody_wanted_it(folder: OrderFolder) -> None:
    folder.write_order(TRAIN)
    assert folder.wanted_since(1000.0) is None
    folder.want()
    os.utime(folder.wanted, (900, 900))
    assert folder.wanted_since(1000.0) == 100


def test_trainings_and_predictions_do_not_wait_for_each_other(folder: OrderFolder) -> None:
    assert folder.slot(TRAIN) != folder.slot(PREDICT)
    other = OrderFolder(folder.path.parent.parent / "2-other" / "job-9")
    assert folder.slot(TRAIN) == other.slot(TRAIN)
