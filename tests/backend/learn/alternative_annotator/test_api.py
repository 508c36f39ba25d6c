"""The test from a notebook."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from backend.decide.releases.models import Release
from tests.backend.learn.alternative_annotator.fixtures import CODES, right_labels
from tests.backend.learn.models.fixtures import train
from tests.cast import Cast

pytestmark = pytest.mark.django_db
HERE = "/api/v1/studies/kind-words/models"


def test_models_and_labels_from_outside_are_tested(release: Release, cast: Cast) -> None:
    client = Client()
    client.force_login(cast.rosa)
    train(release, "tfidf-logistic")
    body = {"epsilon": 0.15}
    made = client.post(f"{HERE}/1/annotator-tests", body, content_type="application/json")
    assert made.status_code == 201
    found = made.json()
    assert (found["adapter"], found["imported"], found["release"], found["epsilon"]) == (1, None, 1, 0.15)
    assert [code["code"] for code in found["codes"]] == list(CODES)
    first = found["codes"][0]
    assert first["passes"] is True and first["winning_rate"] == 1.0
    assert first["clustered"]["annotators"][0]["n_clusters"] == found["overlap"]["n_used"]
    assert client.get(f"{HERE}/annotator-tests/1").json() == found
    table = SimpleUploadedFile("labels.csv", right_labels(release))
    sent = client.post(f"{HERE}/imported-labels", {"name": "GPT", "edition": "1", "file": table})
    assert sent.json() == {"number": 1, "name": "GPT", "edition": 1, "has_learned": False}
    again = client.post(f"{HERE}/imported-labels/1/annotator-tests", body, content_type="application/json")
    assert (again.json()["imported"], again.json()["overlap"]["n_used"]) == (1, 90)
    assert [each["number"] for each in client.get(f"{HERE}/annotator-tests").json()] == [2, 1]
    assert client.get(f"{HERE}/annotator-tests/table/csv").content.decode().count("\n") == 7
    refused = client.post(f"{HERE}/1/annotator-tests", {"epsilon": 2}, content_type="application/json")
    assert refused.status_code == 422
    client.force_login(cast.amal)
    assert client.get(f"{HERE}/annotator-tests").status_code == 403
