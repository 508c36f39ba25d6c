"""Errors and their tags from a notebook."""

from __future__ import annotations

import pytest
from django.test import Client

from backend.learn.models.models import Adapter
from tests.backend.decide.releases.fixtures import EMOTIONS
from tests.backend.learn.error_analysis.fixtures import first_item
from tests.cast import Cast

pytestmark = pytest.mark.django_db


def test_errors_are_read_sorted_and_traced(adapter: Adapter, cast: Cast) -> None:
    here = f"/api/v1/studies/kind-words/models/{adapter.number}/errors"
    item_id = first_item(adapter).item.item_id
    client = Client()
    client.force_login(cast.rosa)
    (error,) = client.get(here).json()["errors"]
    assert (error["item_id"], error["code"], error["kind"]) == (item_id, EMOTIONS, "false-positive")
    assert error["model"] == [{"start": 2, "end": 13, "words": None}] and error["tags"] == []
    assert client.get(f"{here}?words=true").json()["errors"][0]["model"][0]["words"] == "I feel lost"
    body = {"item_id": item_id, "code": EMOTIONS, "tag": "annotation-error"}
    put = client.post(f"{here}/tags", body, content_type="application/json").json()
    assert put == {"tags": ["annotation-error"], "adjudication": "in-queue"}
    counts = client.get(here).json()["counts"]
    assert [(row["n"], row["untagged"], row["by_tag"]["annotation-error"]) for row in counts] == [(1, 0, 1)]
    taken = client.post(f"{here}/tags", {**body, "put": False}, content_type="application/json").json()
    assert taken == {"tags": [], "adjudication": None}
    steps = client.get(f"{here}/tags").json()
    assert [(step["put"], step["author"]) for step in steps] == [(False, "rosa"), (True, "rosa")]
    refused = client.post(f"{here}/tags", {**body, "code": "asking-advice"}, content_type="application/json")
    assert (refused.status_code, refused.json()["error"]) == (422, "NoSuchError")
    client.force_login(cast.amal)
    assert client.get(here).status_code == 403
