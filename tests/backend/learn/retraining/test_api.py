"""Calls of retraining say what the pages say."""

from __future__ import annotations

import pytest
from django.test import Client

from backend.learn.retraining.models import RetrainingSchedule
from tests.batch_fixtures import CastAtWork

CALLS = "/api/v1/studies/kind-words/retraining"


@pytest.fixture
def rosa(work: CastAtWork) -> Client:
    client = Client()
    client.force_login(work.cast.rosa)
    return client


def test_the_schedule_is_read_and_set(rosa: Client) -> None:
    assert rosa.get(f"{CALLS}/schedule").json()["is_on"] is False
    answer = rosa.put(f"{CALLS}/schedule", {"kind": "nightly", "hour": 3}, content_type="application/json")
    assert answer.status_code == 200
    assert answer.json()["next_at"].endswith("T03:00:00Z")
    assert RetrainingSchedule.objects.get().hour == 3
    wanted = {"learner": "tfidf-logistic", "options": {"strength": 2.0}, "continues": False}
    rosa.put(f"{CALLS}/schedule", wanted, content_type="application/json")
    assert rosa.get(f"{CALLS}/schedule").json().items() >= wanted.items()
    unknown = rosa.put(f"{CALLS}/schedule", {"learner": "oracle"}, content_type="application/json")
    assert (unknown.status_code, "choose from" in unknown.json()["detail"]) == (422, True)
    anew = rosa.put(f"{CALLS}/schedule", wanted | {"continues": True}, content_type="application/json")
    assert (anew.status_code, "always learns anew" in anew.json()["detail"]) == (422, True)
    refused = rosa.put(f"{CALLS}/schedule", {"kind": "nightly", "hour": 24}, content_type="application/json")
    assert refused.status_code == 422


def test_runs_are_started_once_listed_stopped_and_taken_up_again(rosa: Client) -> None:
    assert rosa.post(f"{CALLS}/runs").status_code == 202
    refused = rosa.post(f"{CALLS}/runs")
    assert (refused.status_code, refused.json()["error"]) == (422, "AlreadyRetraining")
    assert [run["state"] for run in rosa.get(f"{CALLS}/runs").json()] == ["running"]
    assert rosa.post(f"{CALLS}/runs/1/stop").json()["state"] == "cancelled"
    assert rosa.post(f"{CALLS}/runs/1/again").status_code == 200
    assert rosa.get(f"{CALLS}/runs/1").json()["started_by"] == "rosa"
    assert rosa.get(f"{CALLS}/runs/2").status_code == 404


def test_annotators_and_outsiders_are_refused(work: CastAtWork) -> None:
    for user, status in ((work.cast.amal, 403), (work.cast.otto, 404)):
        client = Client()
        client.force_login(user)
        assert client.get(f"{CALLS}/runs").status_code == status
        assert client.post(f"{CALLS}/runs").status_code == status
