"""A model that is slow is not given more to do by those who ask again, and keeps nobody else from an answer."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, cast

import pytest

from codebook.shipped import load_shipped
from learning.predictions.rows import ItemPrediction
from learning.suggestions.asking import LONGEST_PATIENCE
from ml_backend.adapters.folder import Adapter, load_adapter
from ml_backend.adapters.training import TrainingRequest, train_adapter
from ml_backend.learners.interface import Learner
from ml_backend.learners.registry import learner_type, make_config
from ml_backend.server.application import MOST_JUDGED, Application
from ml_backend.server.environment import ServerEnvironment
from ml_backend.server.services import Services
from tests.ml_backend.fixtures import made_release, quiet
from tests.ml_backend.server.asking import PASSWORD, STUDY, Reply, ask, put_in_service

TEXT = {"title": "", "post": "Well, we met.", "reply": "Good night!"}


class Held:
    """A learner that answers when it is allowed to; counts how often it began."""

    def __init__(self, learner: Learner) -> None:
        self._learner = learner
        self.go = threading.Event()
        self.began = threading.Semaphore(0)
        self.n_begun = 0

    def predict(self, *given: Any, **options: Any) -> Sequence[ItemPrediction]:
        self.n_begun += 1
        self.began.release()
        assert self.go.wait(20)
        return self._learner.predict(*given, **options)


class Bench:
    """One study whose model is held, behind a server that loads it when `load` is set."""

    def __init__(self, adapters: Path, folder: Path) -> None:
        adapter = load_adapter(folder)
        self.learner = Held(adapter.learner)
        self.load = threading.Event()
        self.load.set()
        self.loading = threading.Event()

        def loaded(folder: Path) -> Adapter:
            self.loading.set()
            assert self.load.wait(20)
            return replace(adapter, learner=cast(Learner, self.learner))

        put_in_service(adapters, folder)
        environment = ServerEnvironment(adapters, "attune", PASSWORD)
        self._server = Application(environment, Services(adapters, load=loaded))

    def judge(self, patience: float | None) -> Reply:
        return ask(self._server, "POST", f"/studies/{STUDY}/judge", {**TEXT, "patience": patience})

    def health(self) -> Reply:
        return ask(self._server, "GET", "/health")

    @contextmanager
    def at_work(self) -> Iterator[tuple[ThreadPoolExecutor, Future[Reply]]]:
        """With somebody's text in hand, whatever becomes of it."""
        with ThreadPoolExecutor(8) as people:
            try:
                first = people.submit(self.judge, 20)
                assert self.learner.began.acquire(timeout=10)
                yield people, first
            finally:
                self.learner.go.set()


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("adapter")
    release = made_release(home / "release", load_shipped("epitome"), 30)
    config = make_config(learner_type("majority"), {})
    request = TrainingRequest(release, home / "majority", "majority", config, 1, 1)
    train_adapter(request, now=datetime(2026, 3, 1, tzinfo=UTC), report=quiet)
    return home / "majority"


@pytest.fixture
def bench(tmp_path: Path, trained: Path) -> Bench:
    return Bench(tmp_path / "adapters", trained)


def test_whoever_asks_again_is_told_that_the_model_is_busy_and_gives_it_nothing_more_to_do(
    bench: Bench,
) -> None:
    with bench.at_work() as (_, first):
        for _ in range(5):
            again = bench.judge(0.05)
            assert (again.status, "busy" in again.body["error"]) == (503, True)
        assert not first.done()
    assert first.result().status == 200
    assert bench.learner.n_begun == 1
    assert bench.judge(5).status == 200


def test_half_of_the_patience_is_kept_for_the_answer(bench: Bench) -> None:
    with bench.at_work():
        began = time.monotonic()
        assert bench.judge(4.0).status == 503
        assert 1.9 < time.monotonic() - began < 3.9


def test_whose_turn_comes_in_time_is_answered(bench: Bench) -> None:
    with bench.at_work() as (people, _):
        second = people.submit(bench.judge, 20)
        endless = people.submit(bench.judge, None)
        bench.learner.go.set()
        assert (second.result().status, endless.result().status) == (200, 200)


def test_more_than_there_are_threads_for_are_refused_at_once(bench: Bench) -> None:
    with bench.at_work() as (people, _):
        asks = [people.submit(bench.judge, LONGEST_PATIENCE) for _ in range(6)]
        room = MOST_JUDGED - 1
        refused = list(islice(as_completed(asks, timeout=10), len(asks) - room))
        assert {each.result().status for each in refused} == {503}
        assert bench.health().status == 200
        bench.learner.go.set()
        assert sorted(each.result().status for each in asks) == [200] * room + [503] * len(refused)


def test_nothing_is_computed_for_whoever_left_while_the_model_was_loaded(bench: Bench) -> None:
    bench.load.clear()
    bench.learner.go.set()
    with ThreadPoolExecutor(1) as people:
        early = people.submit(bench.judge, 0.05)
        assert bench.loading.wait(20)
        time.sleep(0.1)
        bench.load.set()
        assert early.result().status == 503
    assert bench.learner.n_begun == 0
    assert bench.judge(5).status == 200


@pytest.mark.parametrize("patience", [-1, LONGEST_PATIENCE + 1, 1e300, "long"])
def test_a_patience_that_is_none_is_refused(bench: Bench, patience: Any) -> None:
    assert bench.judge(patience).status == 400
