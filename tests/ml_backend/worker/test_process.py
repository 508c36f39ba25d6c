"""A task in a process of its own: answered, refused, left and never begun for nobody."""

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
from learning.predictions.files import predictions_file, read_predictions
from learning.tasks.contract import PredictRequest, PredictResult, TrainRequest, TrainResult
from learning.tasks.folder import TaskFolder
from learning.tasks.locks import hold_lock
from learning.tasks.progress import SaidLine, read_progress
from learning.tasks.texts import write_texts
from ml_backend.processes import ExitCode
from ml_backend.worker.process import MOST_TRIES
from tests.ml_backend.fixtures import examples, made_release

EPITOME = load_shipped("epitome")
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_release(tmp_path_factory.mktemp("release") / "small", EPITOME)


@pytest.fixture
def folder(tmp_path: Path) -> TaskFolder:
    return TaskFolder(tmp_path / "1-study" / "job-7")


def train_request(release: Path, learner: str = "majority") -> TrainRequest:
    manifest_hash = read_manifest(release).hash
    return TrainRequest(
        release=str(release), release_hash=manifest_hash, learner=learner, config={}, seed=1, threads=1
    )


def start(folder: TaskFolder, *options: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "ml_backend", "task", str(folder.path), *options],
        stdin=subprocess.PIPE,
        cwd=ROOT,
    )


def hold(folder: TaskFolder) -> None:
    """Whoever works on the task waits when it says its first word: what it says goes into a pipe that nobody reads."""
    os.mkfifo(folder.progress)


@contextmanager
def let_go(folder: TaskFolder) -> Iterator[None]:
    reading = os.open(folder.progress, os.O_RDWR | os.O_NONBLOCK)
    try:
        yield
    finally:
        os.close(reading)


def end_of(folder: TaskFolder) -> int:
    with start(folder) as process:
        return process.wait(timeout=180)


def test_a_task_to_train_and_one_to_predict_end_to_end(release: Path, folder: TaskFolder) -> None:
    folder.write_request(train_request(release, "tfidf-logistic"))
    folder.beat()
    assert end_of(folder) == ExitCode.DONE
    result = folder.read_result()
    assert isinstance(result, TrainResult)
    card = checked_card(folder.adapter)
    assert card.id == result.adapter_id
    for part in (SplitPart.VALIDATION, SplitPart.TEST):
        kept = read_predictions(folder.measured / predictions_file(part), EPITOME)
        assert len(kept) == card.measures[part.value].n_items
        assert {each.adapter_id for each in kept} == {card.id}
    said = [line.text for line in read_progress(folder.progress).lines if isinstance(line, SaidLine)]
    assert any("Measuring on the test part" in line for line in said)

    other = TaskFolder(folder.path.with_name("job-8"))
    other.path.mkdir()
    write_texts(other.path / "texts.jsonl", [each.text for each in examples(EPITOME, 5, start=100)])
    other.write_request(
        PredictRequest(
            adapter_folder=str(folder.adapter), texts=str(other.path / "texts.jsonl"), embeddings=True
        )
    )
    other.beat()
    assert end_of(other) == ExitCode.DONE
    predicted = other.read_result()
    assert isinstance(predicted, PredictResult)
    assert (predicted.n_texts, predicted.n_predicted) == (5, 5)
    assert len(read_predictions(other.path / predicted.predictions, EPITOME)) == 5
    vectors = np.load(other.path / str(predicted.embeddings), allow_pickle=False)
    assert vectors.shape[0] == 5
    # Of every third text the sign is the same, and it lies nearer than the next one.
    assert np.linalg.norm(vectors[0] - vectors[3]) < np.linalg.norm(vectors[0] - vectors[1])


def test_what_goes_wrong_is_said_in_our_own_words(release: Path, folder: TaskFolder) -> None:
    folder.write_request(train_request(release, "dreams"))
    folder.beat()
    assert end_of(folder) == ExitCode.FAILED
    assert "There is no learner 'dreams'" in (folder.take_failure() or "")
    assert folder.read_result() is None
    assert not folder.tries.path.exists()


def test_a_release_that_is_another_one_is_refused(release: Path, folder: TaskFolder) -> None:
    request = TrainRequest(release=str(release), release_hash="0" * 64, learner="majority", config={}, seed=1)
    folder.write_request(request)
    folder.beat()
    assert end_of(folder) == ExitCode.FAILED
    assert "not as it was frozen" in (folder.take_failure() or "")


def test_nothing_is_begun_that_nobody_waits_for(release: Path, folder: TaskFolder) -> None:
    folder.write_request(train_request(release))
    assert end_of(folder) == ExitCode.ABANDONED
    folder.beat()
    long_ago = time.time() - 3600
    os.utime(folder.heartbeat, (long_ago, long_ago))
    assert end_of(folder) == ExitCode.ABANDONED
    folder.beat()
    folder.cancel.touch()
    assert end_of(folder) == ExitCode.ABANDONED
    assert folder.read_result() is None


def test_two_processes_never_work_on_one_task_nor_two_trainings_at_once(
    release: Path, folder: TaskFolder
) -> None:
    request = train_request(release)
    folder.write_request(request)
    folder.beat()
    with folder.hold():
        assert end_of(folder) == ExitCode.TAKEN
    with hold_lock(folder.slot(request)):
        assert end_of(folder) == ExitCode.BUSY
    assert not folder.tries.path.exists()
    assert end_of(folder) == ExitCode.DONE
    assert end_of(folder) == ExitCode.DONE


def test_a_task_that_kills_its_process_again_and_again_is_a_failure(
    release: Path, folder: TaskFolder
) -> None:
    folder.write_request(train_request(release))
    folder.beat()
    for _ in range(MOST_TRIES):
        folder.tries.begin()
    assert end_of(folder) == ExitCode.FAILED
    assert "lack of memory" in (folder.take_failure() or "")
    assert end_of(folder) == ExitCode.DONE


def test_an_adapter_that_was_whole_before_a_kill_is_the_result(release: Path, folder: TaskFolder) -> None:
    folder.write_request(train_request(release))
    folder.beat()
    assert end_of(folder) == ExitCode.DONE
    result = folder.read_result()
    made = folder.adapter.stat().st_ino
    folder.result.unlink()
    assert end_of(folder) == ExitCode.DONE
    assert folder.read_result() == result
    assert folder.adapter.stat().st_ino == made


@pytest.mark.parametrize("how", ["cancel", "abandoned", "parent"])
def test_a_process_leaves_as_soon_as_it_is_told_to(release: Path, folder: TaskFolder, how: str) -> None:
    folder.write_request(train_request(release))
    folder.beat()
    hold(folder)
    with start(folder, "--with-parent") as process:
        while not folder.tries.path.exists():
            assert process.poll() is None
            time.sleep(0.01)
        if how == "cancel":
            folder.cancel.touch()
        elif how == "abandoned":
            folder.heartbeat.unlink()
        else:
            assert process.stdin is not None
            process.stdin.close()
        assert process.wait(timeout=20) == ExitCode.STOPPED
    assert not folder.tries.path.exists()
    assert folder.read_result() is None
    assert not folder.adapter.exists()


@pytest.mark.parametrize("fails", [False, True])
def test_what_came_of_a_task_is_not_left_where_a_newer_one_lies(
    release: Path, folder: TaskFolder, fails: bool
) -> None:
    """Neither an answer nor a failure: whoever waits would take it for that of the newer request."""
    request = train_request(release)
    folder.write_request(msgspec.structs.replace(request, release_hash="0" * 64) if fails else request)
    folder.beat()
    hold(folder)
    with start(folder) as process:
        while not folder.tries.path.exists():
            assert process.poll() is None
            time.sleep(0.01)
        folder.write_request(train_request(release, "keywords"))
        with let_go(folder):
            assert process.wait(timeout=60) == ExitCode.STOPPED
    assert folder.read_result() is None and folder.take_failure() is None
    assert not folder.tries.path.exists()
