"""Releases from a notebook."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from backend.core.jobs.models import Job
from backend.core.jobs.runner import run_job
from backend.decide.releases.models import Release
from tests.backend.decide.releases.fixtures import ADVICE, frozen, judged_study, opened
from tests.batch_fixtures import CastAtWork

HERE = "/api/v1/studies/kind-words/releases"


@pytest.fixture
def rosa(work: CastAtWork) -> Client:
    client = Client()
    client.force_login(work.cast.rosa)
    return client


def _post(client: Client, address: str, body: dict[str, Any] | None = None) -> Any:
    return client.post(address, body or {}, content_type="application/json")


@pytest.mark.django_db(transaction=True)
def test_a_release_is_previewed_frozen_and_read(work: CastAtWork, rosa: Client) -> None:
    judged_study(work)
    asked = {"name": "First", "consensus": "none"}
    preview = _post(rosa, f"{HERE}/preview", asked).json()
    assert preview["counts"]["items"] == 11
    assert preview["counts"]["left_out"] == {"disputed": 1}
    assert Release.objects.count() == 0
    assert _post(rosa, HERE, asked).status_code == 202
    run_job(job_id=Job.objects.get().pk, clock=timezone.now)
    job = Job.objects.get()
    assert job.error == ""
    assert job.result == {
        "summary": "11 items frozen.",
        "url": "/studies/kind-words/releases/1",
        "release": 1,
    }
    found = rosa.get(f"{HERE}/1").json()
    assert (found["number"], found["edition"], found["counts"]["items"]) == (1, 1, 11)
    assert [release["name"] for release in rosa.get(HERE).json()] == ["First"]


@pytest.mark.django_db(transaction=True)
def test_a_job_that_runs_twice_makes_one_release(work: CastAtWork, rosa: Client) -> None:
    judged_study(work)
    for _ in range(2):
        assert _post(rosa, HERE, {"name": "First"}).status_code == 202
    for job in Job.objects.all():
        run_job(job_id=job.pk, clock=timezone.now)
    assert [job.error for job in Job.objects.all()] == ["", ""]
    assert Release.objects.count() == 1


def test_a_release_is_verified_and_traced(work: CastAtWork, rosa: Client) -> None:
    judged_study(work)
    release = frozen(work)
    assert _post(rosa, f"{HERE}/1/verify").json() == {"is_sound": True, "hash": release.hash, "problems": []}
    item = rosa.get(f"{HERE}/1/items/item-00000").json()
    advice = next(label for label in item["labels"] if label["code"] == ADVICE)
    assert (advice["value"], advice["source"], len(advice["votes"])) == (1, "agreed", 3)
    content = b"".join(rosa.get(f"{HERE}/1/release.zip").streaming_content)  # type: ignore[attr-defined]
    assert content.startswith(b"PK")
    (opened(release) / "labels.csv").unlink()
    assert _post(rosa, f"{HERE}/1/verify").json()["problems"] == ["labels.csv: it is not there"]
    refused = rosa.get(f"{HERE}/1/release.zip")
    assert (refused.status_code, refused.json()["error"]) == (422, "NotAsFrozen")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": " "},
        {"name": "x", "ratio": "0:0:0"},
        {"name": "x", "superseded": "weight", "superseded_weight": 1},
        {"name": "x", "consensus": "dice"},
        {"name": "x", "seed": -1},
    ],
)
def test_what_makes_no_sense_is_refused(work: CastAtWork, rosa: Client, body: dict[str, Any]) -> None:
    assert _post(rosa, HERE, body).status_code == 422
    assert Job.objects.count() == 0


def test_missing_files_are_explained(work: CastAtWork, rosa: Client) -> None:
    judged_study(work)
    release = frozen(work)
    release.folder.rename(release.folder.with_name("gone"))
    answer = rosa.get(f"{HERE}/1/release.zip")
    assert (answer.status_code, answer.json()["error"]) == (422, "FolderMissing")
    assert rosa.get("/studies/kind-words/releases/1").status_code == 200
