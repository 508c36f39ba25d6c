"""Everything about adapters from a notebook."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from backend.core.jobs.models import Job
from backend.decide.releases.models import Release
from tests.backend.learn.models.fixtures import folder_of, run, train, work_as_ml_backend
from tests.cast import Cast

pytestmark = pytest.mark.django_db
HERE = "/api/v1/studies/kind-words/models"


@pytest.fixture
def rosa(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.rosa)
    return client


def post(client: Client, address: str, **body: Any) -> Any:
    return client.post(f"{HERE}/{address}", body, content_type="application/json")


def work(job_id: int) -> Job:
    job = Job.objects.get(pk=job_id)
    run(job)
    work_as_ml_backend(folder_of(job))
    return run(job)


def test_from_training_to_service_and_back(rosa: Client, release: Release) -> None:
    asked = post(rosa, "train", release=1, learner="tfidf-logistic", options={"input": "pair"}, seed=2)
    assert asked.status_code == 202
    assert work(asked.json()["id"]).state == "done"
    listed = rosa.get(HERE).json()
    assert [(each["number"], each["state"], each["seed"]) for each in listed] == [(1, "candidate", 2)]
    assert listed[0]["config"]["input"] == "pair" and listed[0]["validation_score"] > 0.3
    assert rosa.get(f"{HERE}/1").json()["card"]["learner"] == "tfidf-logistic"

    refused = post(rosa, "1/promote")
    assert (refused.status_code, refused.json()["error"]) == (422, "ReasonNeeded")
    work(post(rosa, "1/promotion").json()["id"])
    report = rosa.get(f"{HERE}/1/promotion-reports").json()[0]
    assert report["passed"] and len(report["checks"]) == 4 and report["findings"]["comparison"]["codes"]
    assert post(rosa, "1/promote").json()["state"] == "in_service"

    train(release, "random")
    assert post(rosa, "2/promote", reason="To see").json()["state"] == "in_service"
    assert post(rosa, "roll-back").json()["number"] == 1
    assert post(rosa, "1/retire").json()["state"] == "retired"


def test_grids_leaderboards_and_comparisons(rosa: Client, release: Release) -> None:
    grid = post(rosa, "grids", release=1, learner="random", seeds=[1, 2])
    assert grid.status_code == 202
    for each in grid.json()["trainings"]:
        work(each["job"])
    rows = rosa.get(f"{HERE}/grids/1").json()["trainings"]
    assert [row["seed"] for row in rows] == [1, 2] and any(row["is_best"] for row in rows)
    assert b"Random,alone" in rosa.get(f"{HERE}/leaderboards/1/csv").content
    assert rosa.get(f"{HERE}/leaderboards/1/doc").status_code == 404
    job = work(post(rosa, "comparisons", first=1, second=2).json()["id"])
    assert job.result
    found = rosa.get(f"{HERE}/comparisons/{job.result['comparison']}").json()
    assert (found["first"], found["second"], found["part"]) == (1, 2, "test")


def test_the_rule_can_be_read_and_set(rosa: Client, cast: Cast) -> None:
    rule = rosa.get(f"{HERE}/rule").json()
    assert rule == {"least_gain": 0.0, "bound": "low", "largest_drop": 0.1, "resamples": 1000}
    changed = rosa.put(f"{HERE}/rule", rule | {"least_gain": 0.01}, content_type="application/json")
    assert changed.json()["least_gain"] == 0.01


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({"learner": "dreams"}, "UnknownLearner"),
        ({"learner": "majority", "options": {"rank": 3}}, "UnknownOption"),
    ],
)
def test_what_nobody_can_train_is_refused_at_once(
    rosa: Client, release: Release, asked: dict[str, Any], error: str
) -> None:
    answer = post(rosa, "train", release=1, **asked)
    assert (answer.status_code, answer.json()["error"]) == (422, error)
    assert not Job.objects.exists()
