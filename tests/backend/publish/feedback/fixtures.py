"""A study whose adapters were really trained, and the ML backend's server in a process of its own."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from annotation.release.read import read_release
from backend.decide.releases.importing import import_release
from backend.learn.models.models import Adapter, adapters_folder
from backend.learn.models.service_file import write_service_file
from backend.learn.models.services import promote
from backend.publish.feedback.asking import ask_model
from backend.publish.feedback.errors import ServerRefused
from codebook.schema import Codebook, Part
from codebook.shipped import load_shipped
from learning.adapters.in_service import write_in_service
from learning.suggestions.asking import TextAsked
from learning.tasks.contract import TrainRequest
from learning.tasks.folder import TaskFolder
from tests.backend.learn.models.fixtures import EPITOME, work_as_ml_backend
from tests.backend.learn.prelabels.fixtures import registered
from tests.cast import NOW, Cast
from tests.ml_backend.fixtures import made_release
from tests.ml_backend.tiny_backbone import make_backbone
from tests.ml_server import running_ml_server

PRACTICES = load_shipped("empathy-practices")
PASSWORD = "a-password-for-tests"


@dataclass(frozen=True)
class Learned:
    """A release and what was learned from it, once for all tests."""

    release: Path
    task: TaskFolder


@dataclass
class Bench:
    cast: Cast
    practices: Learned
    epitome: Learned
    replies: Learned
    majority: Learned
    home: Path
    log: Path

    def put_in_service(self, learned: Learned) -> Adapter:
        study, rosa = self.cast.study, self.cast.rosa
        release = import_release(study=study, folder=learned.release, actor=rosa, now=NOW)
        adapter = registered(study, release, learned.task, self.home)
        promote(adapter=adapter, report=None, override_reason="Tests", actor=rosa, now=NOW)
        # Tests do not commit, and the server reads the file.
        write_service_file(study)
        return adapter


@pytest.fixture(scope="session")
def learned(tmp_path_factory: pytest.TempPathFactory) -> tuple[Learned, Learned, Learned, Learned]:
    """A tiny encoder that marks words, and learners without evidence: for the codebook with levels, one that was
    taught about replies alone, and one that always gives the commonest answer."""
    home = tmp_path_factory.mktemp("learned")
    backbone = make_backbone(home / "backbone")
    encoder = {
        "backbone": backbone,
        "full": True,
        "epochs": 12,
        "patience": 12,
        "learning_rate": 5e-3,
        "max_tokens": 64,
        "overlap": 8,
        "evidence_weight": 2.0,
    }
    return (
        learn(home / "practices", PRACTICES, "encoder-lora", encoder, 150),
        learn(home / "epitome", EPITOME, "tfidf-logistic", {}, 150),
        learn(home / "replies", PRACTICES, "tfidf-logistic", {}, 150, parts=(Part.REPLY,)),
        learn(home / "majority", PRACTICES, "majority", {}, 60),
    )


def learn(
    home: Path,
    codebook: Codebook,
    learner: str,
    config: dict[str, object],
    n: int,
    *,
    parts: Collection[Part] = tuple(Part),
) -> Learned:
    release = made_release(home / "release", codebook, n, parts=parts)
    task = TaskFolder(home / f"{codebook.name}-task")
    task.write_request(
        TrainRequest(
            release=str(release),
            release_hash=read_release(release).manifest.hash,
            learner=learner,
            config=config,
            seed=1,
            threads=1,
        )
    )
    work_as_ml_backend(task)
    return Learned(release, task)


@dataclass(frozen=True)
class Served:
    url: str
    adapters: Path
    log: Path


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Started once: it takes seconds to load torch."""
    home = tmp_path_factory.mktemp("served")
    adapters, log = home / "adapters", home / "ml-server.log"
    adapters.mkdir()
    with running_ml_server(adapters, log, password=PASSWORD) as url:
        yield Served(url, adapters, log)


@pytest.fixture
def bench(
    cast: Cast,
    learned: tuple[Learned, Learned, Learned, Learned],
    served: Served,
    settings: Settings,
    tmp_path: Path,
) -> Iterator[Bench]:
    settings.RELEASES_DIR, settings.ADAPTERS_DIR = tmp_path / "releases", served.adapters
    settings.ML_SERVER_URL, settings.ML_SERVER_PASSWORD = served.url, PASSWORD
    yield Bench(cast, *learned, tmp_path, served.log)
    write_in_service(adapters_folder(cast.study), None)
    # Once asked, the server lets go of the adapter.
    settings.ML_SERVER_URL, settings.ML_SERVER_PASSWORD = served.url, PASSWORD
    with pytest.raises(ServerRefused):
        ask_model(cast.study, TextAsked("", "Hello", None))
    for left in adapters_folder(cast.study).glob("*"):
        if left.is_dir():
            shutil.rmtree(left)
