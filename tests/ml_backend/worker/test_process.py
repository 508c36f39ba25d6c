"""An order in a process of its own: answered, refused, left and never begun for nobody."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import numpy as np
import pytest

from annotation.release.read import read_manifest
from annotation.release.rows import SplitPart
from codebook.shipped import load_shipped
from learning.adapters.folder import checked_card
from learning.adapters.measured import predictions_file
from learning.predictions.files import read_predictions
from learning.tasks.folder import OrderFolder
from learning.tasks.locks import held
from learning.tasks.orders import PredictAnswer, PredictOrder, TrainAnswer, TrainOrder
from learning.tasks.progress import SaidLine, read_progress
from learning.tasks.texts import write_texts
from ml_backend.worker.ends import End
from ml_backend.worker.process import MOST_TRIES
from tests.ml_backend.scene import examples, made_release

EPITOME = load_shipped("epitome")
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_release(tmp_path_factory.mktemp("release") / "small", EPITOME)


@pytest.fixture
def folder(tmp_path: Path) -> OrderFolder:
    return OrderFolder(tmp_path / "1-study" / "job-7")


def train_order(release: Path, learner: str = "majority") -> TrainOrder:
    manifest_hash = read_manifest(release).hash
    return TrainOrder(
        release=str(release), release_hash=manifest_hash, learner=learner, config={}, seed=1, threads=1
    )


def start(folder: OrderFolder, *options: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "ml_backend", "order", str(folder.path), *options],
        stdin=subprocess.PIPE,
        cwd=ROOT,
    )


def hold(folder: OrderFolder) -> None:
    """Whoever works on the order waits when it says its first word: what it says goes into a pipe that nobody reads."""
    os.mkfifo(folder.progress)


@contextmanager
def let_go(folder: OrderFolder) -> Iterator[None]:
    reading = os.open(folder.progress, os.O_RDWR | os.O_NONBLOCK)
    try:
        yield
    finally:
        os.close(reading)


def end_of(folder: OrderFolder) -> int:
    with start(folder) as process:
        return process.wait(timeout=180)


def test_an_order_to_train_and_one_to_predict_end_to_end(release: Path, folder: OrderFolder) -> None:
    folder.write_order(train_order(release, "tfidf-logistic"))
    folder.want()
    assert end_of(folder) == End.ANSWERED
    answer = folder.read_answer()
    assert isinstance(answer, TrainAnswer)
    card = checked_card(folder.adapter)
    assert card.id == answer.adapter_id
    for part in (SplitPart.VALIDATION, SplitPart.TEST):
        kept = read_predictions(folder.measured / predictions_file(part), EPITOME)
        assert len(kept) == card.measures[part.value].n_items
        assert {each.adapter_id for each in kept} == {card.id}
    said = [line.text for line in read_progress(folder.progress).lines if isinstance(line, SaidLine)]
    assert any("Measuring on the test part" in line for line in said)

    other = OrderFolder(folder.path.with_name("job-8"))
    other.path.mkdir()
    write_texts(other.path / "texts.jsonl", [each.text for each in examples(EPITOME, 5, start=100)])
    other.write_order(
        PredictOrder(
            adapter_folder=str(folder.adapter), texts=str(other.path / "texts.jsonl"), embeddings=True
        )
    )
    other.want()
    assert end_of(other) == End.ANSWERED
    predicted = other.read_answer()
    assert isinstance(predicted, PredictAnswer)
    assert (predicted.n_texts, predicted.n_predicted) == (5, 5)
    assert len(read_predictions(other.path / predicted.predictions, EPITOME)) == 5
    vectors = np.load(other.path / str(predicted.embeddings), allow_pickle=False)
    assert vectors.shape[0] == 5
    # Of every third text the sign is the same, and it lies nearer than the next one.
    assert np.linalg.norm(vectors[0] - vectors[3]) < np.linalg.norm(vectors[0] - vectors[1])


def test_what_goes_wrong_is_said_in_our_own_words(release: Path, folder: OrderFolder) -> None:
    folder.write_order(train_order(release, "dreams"))
    folder.want()
    assert end_of(folder) == End.FAILED
    assert "There is no learner 'dreams'" in (folder.take_failure() or "")
    assert folder.read_answer() is None
    assert not folder.tries.exists()


def test_a_release_that_is_another_one_is_refused(release: Path, folder: OrderFolder) -> None:
    order = TrainOrder(release=str(release), release_hash="0" * 64, learner="majority", config={}, seed=1)
    folder.write_order(order)
    folder.want()
    assert end_of(folder) == End.FAILED
    assert "not as it was frozen" in (folder.take_failure() or "")


def test_nothing_is_begun_that_nobody_waits_for(release: Path, folder: OrderFolder) -> None:
    folder.write_order(train_order(release))
    assert end_of(folder) == End.UNWANTED
    folder.want()
    long_ago = time.time() - 3600
    os.utime(folder.wanted, (long_ago, long_ago))
    assert end_of(folder) == End.UNWANTED
    folder.want()
    folder.cancel.touch()
    assert end_of(folder) == End.UNWANTED
    assert folder.read_answer() is None


def test_two_processes_never_work_on_one_order_nor_two_trainings_at_once(
    release: Path, folder: OrderFolder
) -> None:
    order = train_order(release)
    folder.write_order(order)
    folder.want()
    with folder.hold():
        assert end_of(folder) == End.TAKEN
    with held(folder.slot(order)):
        assert end_of(folder) == End.BUSY
    assert not folder.tries.exists()
    assert end_of(folder) == End.ANSWERED
    assert end_of(folder) == End.ANSWERED


def test_an_order_that_kills_its_process_again_and_again_is_a_failure(
    release: Path, folder: OrderFolder
) -> None:
    folder.write_order(train_order(release))
    folder.want()
    for _ in range(MOST_TRIES):
        folder.begin_try()
    assert end_of(folder) == End.FAILED
    assert "lack of memory" in (folder.take_failure() or "")
    assert end_of(folder) == End.ANSWERED


def test_an_adapter_that_was_whole_before_a_kill_is_the_answer(release: Path, folder: OrderFolder) -> None:
    folder.write_order(train_order(release))
    folder.want()
    assert end_of(folder) == End.ANSWERED
    answer = folder.read_answer()
    made = folder.adapter.stat().st_ino
    folder.answer.unlink()
    assert end_of(folder) == End.ANSWERED
    assert folder.read_answer() == answer
    assert folder.adapter.stat().st_ino == made


@pytest.mark.parametrize("how", ["cancel", "unwanted", "parent"])
def test_a_process_leaves_as_soon_as_it_is_told_to(release: Path, folder: OrderFolder, how: str) -> None:
    folder.write_order(train_order(release))
    folder.want()
    hold(folder)
    with start(folder, "--with-parent") as process:
        while not folder.tries.exists():
            assert process.poll() is None
            time.sleep(0.01)
        if how == "cancel":
            folder.cancel.touch()
        elif how == "unwanted":
            folder.wanted.unlink()
        else:
            assert process.stdin is not None
            process.stdin.close()
        assert process.wait(timeout=20) == End.LEFT
    assert not folder.tries.exists()
    assert folder.read_answer() is None
    assert not folder.adapter.exists()


@pytest.mark.parametrize("fails", [False, True])
def test_what_came_of_an_order_is_not_left_where_a_newer_one_lies(
    release: Path, folder: OrderFolder, fails: bool
) -> None:
    """Neither an answer nor a failure: whoever waits would take it for that of the newer order."""
    order = train_order(release)
    folder.write_order(msgspec.structs.replace(order, release_hash="0" * 64) if fails else order)
    folder.want()
    hold(folder)
    with start(folder) as process:
        while not folder.tries.exists():
            assert process.poll() is None
            time.sleep(0.01)
        folder.write_order(train_order(release, "keywords"))
        with let_go(folder):
            assert process.wait(timeout=60) == End.LEFT
    assert folder.read_answer() is None and folder.take_failure() is None
    assert not folder.tries.exists()
