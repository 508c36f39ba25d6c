"""The real Label Studio asks our server for predictions: told why there are none, and then shows them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from annotation.label_studio.config import label_config
from annotation.label_studio.task_data import task_data
from codebook.schema import Codebook
from codebook.shipped import load_shipped
from learning.adapters.folder import read_card
from learning.suggestions.encoding import short_id
from ml_backend.adapters.training import TrainingRequest, train_adapter
from ml_backend.learners.registry import learner_type, make_config
from tests.integration.access_people import owner_client
from tests.integration.label_studio_server import RunningLabelStudio
from tests.ml_backend.fixtures import examples, made_release, quiet, words_optional
from tests.ml_backend.server.asking import PASSWORD, STUDY, put_in_service
from tests.ml_server import running_ml_server

pytestmark = pytest.mark.label_studio


@pytest.fixture
def adapters(tmp_path: Path) -> Path:
    return tmp_path / "adapters"


@pytest.fixture
def server(adapters: Path, tmp_path: Path) -> Iterator[str]:
    """The address of one study."""
    with running_ml_server(adapters, tmp_path / "ml-server.log", password=PASSWORD) as url:
        yield f"{url}/studies/{STUDY}"


def _trained(folder: Path, codebook: Codebook) -> Path:
    release = made_release(folder / "release", codebook, 30)
    config = make_config(learner_type("tfidf-logistic"), {})
    request = TrainingRequest(release, folder / "adapter", "tfidf-logistic", config, 1, 1)
    train_adapter(request, now=datetime(2026, 3, 1, tzinfo=UTC), report=quiet)
    return folder / "adapter"


def _connect(owner: httpx.Client, project: int, url: str) -> httpx.Response:
    backend = {
        "url": url,
        "project": project,
        "title": "Attune",
        "auth_method": "BASIC_AUTH",
        "basic_auth_user": "attune",
        "basic_auth_pass": PASSWORD,
    }
    return owner.post("/api/ml/", json=backend)


def _project(owner: httpx.Client, codebook: Codebook) -> tuple[int, list[int]]:
    made = owner.post("/api/projects/", json={"title": "Asks us", "label_config": label_config(codebook)})
    project = int(made.raise_for_status().json()["id"])
    tasks = [task_data(each.text) for each in examples(codebook, 2, start=200)]
    owner.post(f"/api/projects/{project}/import", json=tasks).raise_for_status()
    listed = owner.get(f"/attune/projects/{project}/tasks").json()["tasks"]
    return project, [int(task["id"]) for task in listed]


def _state(owner: httpx.Client, project: int) -> Any:
    (backend,) = owner.get("/api/ml/", params={"project": project}).json()
    return backend


def test_label_studio_is_told_why_there_is_nothing_and_then_shows_what_we_predict(
    label_studio: RunningLabelStudio, server: str, adapters: Path, tmp_path: Path
) -> None:
    codebook = words_optional(load_shipped("epitome"))
    with owner_client(label_studio) as owner:
        project, (first, second) = _project(owner, codebook)
        refused = _connect(owner, project, server)
        assert refused.status_code == 400
        assert "No adapter of this study is in service" in refused.text
        folder = _trained(tmp_path, codebook)
        put_in_service(adapters, folder)
        assert _connect(owner, project, server).status_code == 201
        settings = {"show_collab_predictions": True, "evaluate_predictions_automatically": True}
        owner.patch(f"/api/projects/{project}/", json=settings).raise_for_status()
        (prediction,) = owner.get(f"/api/tasks/{first}/").json()["predictions"]
        assert prediction["model_version"] == short_id(read_card(folder).id)
        assert {row["from_name"] for row in prediction["result"]} == {
            f"level_{code.id}_0" for _, code in codebook.coded_questions()
        }
        assert 0 < prediction["score"] <= 1
        # Without an adapter, opening an item goes on without a guess, and Label Studio knows why.
        put_in_service(adapters, None)
        assert owner.get(f"/api/tasks/{second}/").json()["predictions"] == []
        said = _state(owner, project)
        assert (said["state"], "No adapter of this study" in said["error_message"]) == ("ER", True)
    log = (tmp_path / "ml-server.log").read_text()
    assert label_studio.instance.token not in log and "Good night" not in log


def test_another_interface_is_refused_in_words_that_label_studio_shows(
    label_studio: RunningLabelStudio, server: str, adapters: Path, tmp_path: Path
) -> None:
    put_in_service(adapters, _trained(tmp_path, load_shipped("epitome")))
    with owner_client(label_studio) as owner:
        project, _ = _project(owner, load_shipped("empathy-practices"))
        refused = _connect(owner, project, server)
        assert (refused.status_code, "another edition of the codebook" in refused.text) == (400, True)
