"""The server speaks Label Studio's protocol, lets in who has the password, and never guesses."""

from __future__ import annotations

import logging
import threading
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from annotation.label_studio.decoding import decode_results
from codebook.schema import Codebook
from codebook.shipped import load_shipped
from learning.suggestions.asking import TextAsked, TextJudged
from learning.suggestions.encoding import short_id
from ml_backend.adapters.folder import Adapter, load_adapter
from ml_backend.adapters.training import TrainingRequest, train_adapter
from ml_backend.examples import Example
from ml_backend.learners.registry import learner_type, make_config
from ml_backend.server.application import MOST_BYTES, Application
from ml_backend.server.environment import ServerEnvironment
from ml_backend.server.services import Services
from tests.ml_backend.fixtures import example, examples, made_release, quiet, words_optional
from tests.ml_backend.server.asking import PASSWORD, STUDY, ask, predict_body, put_in_service, setup_body

CODEBOOK = "epitome"
ADDRESS = f"/studies/{STUDY}"


@pytest.fixture(scope="module")
def codebook() -> Codebook:
    return words_optional(load_shipped(CODEBOOK))


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory, codebook: Codebook) -> tuple[Path, Path]:
    """Two adapters that say different things."""
    home = tmp_path_factory.mktemp("adapters")
    release = made_release(home / "release", codebook, 30)
    folders = home / "tfidf", home / "majority"
    for folder, learner in zip(folders, ("tfidf-logistic", "majority"), strict=True):
        config = make_config(learner_type(learner), {})
        request = TrainingRequest(release, folder, learner, config, 1, 1)
        train_adapter(request, now=datetime(2026, 3, 1, tzinfo=UTC), report=quiet)
    return folders


class Slow:
    """Loads as the server does, when it is allowed to; counts how often."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.go.set()
        self.done = threading.Semaphore(0)
        self.folders: list[str] = []

    def __call__(self, folder: Path) -> Adapter:
        self.folders.append(folder.name)
        try:
            assert self.go.wait(20)
            return load_adapter(folder)
        finally:
            self.done.release()


@pytest.fixture
def load() -> Slow:
    return Slow()


@pytest.fixture
def adapters(tmp_path: Path) -> Path:
    return tmp_path / "adapters"


@pytest.fixture
def server(adapters: Path, load: Slow) -> Application:
    return Application(ServerEnvironment(adapters, "attune", PASSWORD), Services(adapters, load=load))


def test_predictions_come_back_one_for_each_task_in_order(
    server: Application, adapters: Path, trained: tuple[Path, Path], codebook: Codebook
) -> None:
    put_in_service(adapters, trained[0])
    asked = [*examples(codebook, 3, start=100), example(codebook, 103, reply=False)]
    reply = ask(server, "POST", f"{ADDRESS}/predict", predict_body(codebook, asked))
    assert reply.status == 200
    adapter = load_adapter(trained[0])
    version = short_id(adapter.card.id)
    assert {result["model_version"] for result in reply.body["results"]} == {version}
    said = adapter.learner.predict(asked, adapter_id=adapter.card.id, report=quiet)
    for each, prediction, result in zip(asked[:3], said, reply.body["results"], strict=False):
        answers = decode_results(codebook, each.text, result["result"]).answers
        assert {judgment.code_id: judgment.value for judgment in answers.judgments} == {
            code.code_id: code.value for code in prediction.codes
        }
        assert 0 < result["score"] <= 1
    assert reply.body["results"][3] == {"result": [], "score": None, "model_version": version}


def test_one_text_is_judged_with_every_probability(
    server: Application, adapters: Path, trained: tuple[Path, Path], codebook: Codebook
) -> None:
    text = example(codebook, 101).text
    body = {"title": text.title, "post": text.post, "reply": text.reply}
    assert ask(server, "POST", f"{ADDRESS}/judge", body).status == 503
    put_in_service(adapters, trained[0])
    reply = ask(server, "POST", f"{ADDRESS}/judge", body)
    judged = msgspec.convert(reply.body, TextJudged)
    adapter = load_adapter(trained[0])
    asked = Example(TextAsked(text.title, text.post, text.reply).item())
    assert judged.adapter_id == adapter.card.id
    assert [judged.prediction] == list(
        adapter.learner.predict([asked], adapter_id=adapter.card.id, report=quiet)
    )
    alone = ask(server, "POST", f"{ADDRESS}/judge", {**body, "reply": None})
    assert (alone.status, alone.body["prediction"]) == (200, None)
    assert ask(server, "POST", f"{ADDRESS}/judge", {"post": "Hello"}).status == 400
    assert ask(server, "GET", f"{ADDRESS}/judge").status == 405


def test_without_an_adapter_in_service_it_says_so_and_never_guesses(
    server: Application, adapters: Path, trained: tuple[Path, Path], codebook: Codebook, load: Slow
) -> None:
    body = predict_body(codebook, examples(codebook, 1))
    for _ in range(2):
        for path, content in (("predict", body), ("setup", setup_body(codebook))):
            reply = ask(server, "POST", f"{ADDRESS}/{path}", content)
            assert (reply.status, reply.body["error"]) == (503, reply.line)
            assert "No adapter of this study is in service" in reply.line
        health = ask(server, "GET", f"{ADDRESS}/health").body
        assert (health["status"], health["model_version"]) == ("UP", None)
        assert "put one in service" in health["reason"]
        assert ask(server, "GET", f"{ADDRESS}/versions").body == {"versions": []}
        put_in_service(adapters, None)
    put_in_service(adapters, trained[0])
    assert ask(server, "POST", f"{ADDRESS}/predict", body).status == 200
    put_in_service(adapters, None)
    assert ask(server, "POST", f"{ADDRESS}/predict", body).status == 503
    assert load.folders == ["tfidf"]


def test_another_adapter_takes_over_in_the_background(
    server: Application, adapters: Path, trained: tuple[Path, Path], codebook: Codebook, load: Slow
) -> None:
    body = predict_body(codebook, examples(codebook, 1))

    def version() -> str:
        return str(ask(server, "POST", f"{ADDRESS}/predict", body).body["model_version"])

    first, second = (short_id(load_adapter(folder).card.id) for folder in trained)
    put_in_service(adapters, trained[0])
    assert [version(), version()] == [first, first]
    assert load.done.acquire(timeout=10)
    load.go.clear()
    put_in_service(adapters, trained[1])
    # While the new one is being loaded, the old one answers, and nobody loads it a second time.
    assert [version(), version()] == [first, first]
    assert ask(server, "GET", f"{ADDRESS}/health").body["model_version"] == second
    load.go.set()
    assert load.done.acquire(timeout=10)
    while version() == first:
        pass
    assert load.folders == ["tfidf", "majority"]


def test_an_adapter_that_cannot_be_loaded_takes_nobodys_place(
    server: Application,
    adapters: Path,
    trained: tuple[Path, Path],
    codebook: Codebook,
    tmp_path: Path,
    load: Slow,
) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    for name in ("card.json", "codebook.json"):
        (broken / name).write_bytes((trained[1] / name).read_bytes())
    body = predict_body(codebook, examples(codebook, 1))
    put_in_service(adapters, broken)
    reply = ask(server, "POST", f"{ADDRESS}/predict", body)
    assert (reply.status, "AdapterBroken" in reply.line) == (503, True)
    put_in_service(adapters, trained[0])
    assert ask(server, "POST", f"{ADDRESS}/predict", body).status == 200
    put_in_service(adapters, broken)
    for _ in range(2):
        assert load.done.acquire(timeout=10)
    for _ in range(3):
        answer = ask(server, "POST", f"{ADDRESS}/predict", body)
        assert answer.body["model_version"] == short_id(load_adapter(trained[0]).card.id)
    assert load.done.acquire(timeout=10)
    assert load.folders == ["broken", "tfidf", "broken"]


def test_another_edition_is_refused_in_words(
    server: Application, adapters: Path, trained: tuple[Path, Path], codebook: Codebook
) -> None:
    put_in_service(adapters, trained[0])
    other = load_shipped("empathy-practices")
    for path, content in (
        ("predict", {**predict_body(codebook, examples(codebook, 1)), "label_config": "<View/>"}),
        ("setup", setup_body(other)),
    ):
        reply = ask(server, "POST", f"{ADDRESS}/{path}", content)
        assert (reply.status, "another edition of the codebook" in reply.line) == (409, True)


def test_setup_and_health_load_nothing(
    server: Application, adapters: Path, trained: tuple[Path, Path], codebook: Codebook, load: Slow
) -> None:
    put_in_service(adapters, trained[0])
    version = short_id(load_adapter(trained[0]).card.id)
    assert ask(server, "POST", f"{ADDRESS}/setup", setup_body(codebook)).body == {"model_version": version}
    assert ask(server, "GET", f"{ADDRESS}/health").body["model_version"] == version
    assert ask(server, "GET", f"{ADDRESS}/versions").body == {"versions": [version]}
    assert ask(server, "POST", f"{ADDRESS}/webhook", {"action": "START_TRAINING"}).body == {}
    assert load.folders == []


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", f"{ADDRESS}/predict", 405),
        ("POST", f"{ADDRESS}/health", 405),
        ("POST", f"{ADDRESS}/train", 404),
        ("GET", "/", 404),
        ("GET", "/studies/../health", 404),
        ("GET", "/health", 200),
    ],
)
def test_only_the_protocols_addresses_are_there(
    server: Application, method: str, path: str, status: int
) -> None:
    assert ask(server, method, path).status == status


@pytest.mark.parametrize(
    ("user", "password"), [("attune", "wrong"), ("other", PASSWORD), ("attune", None), ("attune", "ü")]
)
def test_nobody_gets_in_without_the_password(server: Application, user: str, password: str | None) -> None:
    for path in (f"{ADDRESS}/health", "/elsewhere"):
        reply = ask(server, "GET", path, user=user, password=password)
        assert (reply.status, reply.body) == (401, {"error": "The name or the password is wrong"})
    assert ask(server, "GET", "/health", password=None).body == {"status": "UP"}


@pytest.mark.parametrize(
    ("raw", "status"),
    [(b"{", 400), (b"[]", 400), (b'{"tasks": [{}], "label_config": ""}', 400), (b"\xff", 400)],
)
def test_a_body_that_is_not_label_studios_is_refused(
    server: Application, adapters: Path, trained: tuple[Path, Path], raw: bytes, status: int
) -> None:
    put_in_service(adapters, trained[0])
    assert ask(server, "POST", f"{ADDRESS}/predict", raw=raw).status == status


def test_a_task_that_attune_did_not_make_is_refused_in_words(
    server: Application, adapters: Path, trained: tuple[Path, Path], codebook: Codebook
) -> None:
    put_in_service(adapters, trained[0])
    body = {**predict_body(codebook, []), "tasks": [{"data": {"text": "Hello"}}]}
    reply = ask(server, "POST", f"{ADDRESS}/predict", body)
    assert (reply.status, "A task has no item" in reply.line) == (400, True)


def test_a_body_that_is_too_long_is_not_read(
    server: Application, adapters: Path, trained: tuple[Path, Path]
) -> None:
    put_in_service(adapters, trained[0])
    assert ask(server, "POST", f"{ADDRESS}/predict", raw=b" " * (MOST_BYTES + 1)).status == 413


def test_no_body_is_ever_logged(
    server: Application,
    adapters: Path,
    trained: tuple[Path, Path],
    codebook: Codebook,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    put_in_service(adapters, trained[0])
    ask(server, "POST", f"{ADDRESS}/setup", setup_body(codebook))
    ask(server, "POST", f"{ADDRESS}/predict", predict_body(codebook, examples(codebook, 2)))
    ask(server, "POST", f"{ADDRESS}/predict", raw=b'{"tasks": "the-owners-token')
    ask(server, "POST", f"{ADDRESS}/judge", {"title": "", "post": "Good night", "reply": "Good night!"})
    ask(server, "POST", f"{ADDRESS}/judge", {"post": "Good night"})
    assert "tfidf" not in caplog.text and "answers now" in caplog.text
    assert "owners-token" not in caplog.text and "Good night" not in caplog.text


def test_of_two_studies_with_the_same_name_the_newer_answers(
    server: Application, adapters: Path, trained: tuple[Path, Path]
) -> None:
    put_in_service(adapters, trained[0], number=3)
    put_in_service(adapters, trained[1], number=12)
    put_in_service(adapters, trained[0], study=f"40-{STUDY}", number=50)
    version = short_id(load_adapter(trained[1]).card.id)
    assert ask(server, "GET", f"{ADDRESS}/versions").body == {"versions": [version]}
