"""A notebook with a token can do what a researcher does in the browser, and no more."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client

from backend.core.accounts.models import User
from backend.core.accounts.services import create_token
from codebook.shipped import shipped_path
from tests.cast import NOW, Cast

STUDY = "/api/v1/studies/kind-words"


class Notebook:
    """Calls the API as a notebook does: with a token and nothing else."""

    def __init__(self, user: User) -> None:
        _, token = create_token(user=user, name="test", now=NOW)
        self.client = Client(headers={"Authorization": f"Bearer {token}"}, enforce_csrf_checks=True)

    def call(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        response = self.client.generic(
            method,
            path,
            json.dumps(body) if body is not None else "",
            content_type="application/json",
        )
        return response.status_code, json.loads(response.content) if response.content else None


@pytest.fixture
def rosa(cast: Cast) -> Notebook:
    return Notebook(cast.rosa)


def test_a_token_says_who_it_belongs_to(rosa: Notebook) -> None:
    status, me = rosa.call("GET", "/api/v1/me")
    assert (status, me["username"], me["role"]) == (200, "rosa", "researcher")


def test_no_token_or_a_wrong_one_is_401(cast: Cast) -> None:
    assert Client().get("/api/v1/me").status_code == 401
    wrong = Client(headers={"Authorization": "Bearer attune_wrong"})
    assert wrong.get("/api/v1/me").status_code == 401


def test_a_session_without_csrf_token_changes_nothing(cast: Cast) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.rosa)
    forged = client.post("/api/v1/studies", json.dumps({"name": "Forged"}), content_type="application/json")
    assert forged.status_code == 403


def test_a_study_is_started_renamed_and_staffed(rosa: Notebook) -> None:
    assert rosa.call("POST", "/api/v1/studies", {"name": "New one"})[0] == 201
    status, study = rosa.call("PUT", "/api/v1/studies/new-one", {"name": "Renamed", "description": "Why"})
    assert (status, study["slug"], study["name"]) == (200, "new-one", "Renamed")
    status, member = rosa.call("PUT", "/api/v1/studies/new-one/members/bea", {"role": "annotator"})
    assert (status, member["role"]) == (200, "annotator")
    assert rosa.call("DELETE", "/api/v1/studies/new-one/members/bea")[0] == 204
    _, history = rosa.call("GET", "/api/v1/studies/new-one/history")
    assert [line["summary"] for line in history][:2] == [
        "Removed Bea from the study",
        "Added Bea as annotator",
    ]


def test_an_outsider_cannot_tell_a_study_from_nothing(cast: Cast) -> None:
    otto = Notebook(cast.otto)
    assert otto.call("GET", STUDY)[0] == otto.call("GET", "/api/v1/studies/no-such-study")[0] == 404
    assert [study["slug"] for study in otto.call("GET", "/api/v1/studies")[1]] == ["elsewhere"]


def test_an_annotator_reads_the_codebook_and_not_the_members(cast: Cast) -> None:
    amal = Notebook(cast.amal)
    assert amal.call("GET", f"{STUDY}/codebook/editions") == (200, [])
    assert amal.call("GET", f"{STUDY}/members")[0] == 403


def test_an_edition_is_added_compared_and_read(rosa: Notebook) -> None:
    source = shipped_path("epitome").read_text()
    status, first = rosa.call("POST", f"{STUDY}/codebook/editions", {"source": source, "note": "Start"})
    assert (status, first["number"]) == (201, 1)
    changed = source.replace(first["title"], "Another title", 1)
    rosa.call("POST", f"{STUDY}/codebook/editions", {"source": changed, "note": "Title"})
    _, changes = rosa.call("GET", f"{STUDY}/codebook/compare/1/2")
    assert [(change["where"], change["affects_labels"]) for change in changes] == [
        ("Codebook · title", False)
    ]
    _, questions = rosa.call("GET", f"{STUDY}/codebook/editions/1/questions")
    assert len(questions) == 3
    canonical = rosa.client.get(f"{STUDY}/codebook/editions/1/canonical").content
    assert json.loads(canonical)["name"] == "epitome"


def test_a_broken_codebook_comes_back_with_every_problem(rosa: Notebook) -> None:
    source = shipped_path("epitome").read_text().replace("answer: levels", "answer: stars")
    status, answer = rosa.call("POST", f"{STUDY}/codebook/editions", {"source": source, "note": "Try"})
    assert status == 422
    assert answer["problems"][0]["line"] > 1
    assert "stars" in answer["problems"][0]["wrong"]


def test_only_admins_manage_accounts(cast: Cast, rosa: Notebook) -> None:
    body = {"username": "dora", "display_name": "Dora", "role": "annotator"}
    assert rosa.call("POST", "/api/v1/people", body)[0] == 403
    status, made = Notebook(cast.ada).call("POST", "/api/v1/people", body)
    assert status == 201
    assert User.objects.get(username="dora").check_password(made["password"])


def test_the_openapi_page_lists_every_router(cast: Cast) -> None:
    client = Client()
    client.force_login(cast.rosa)
    schema = client.get("/api/v1/openapi.json").json()
    assert len(schema["paths"]) > 30
    assert client.get("/api/v1/docs").status_code == 200


def test_the_description_explains_every_part_of_every_address(cast: Cast) -> None:
    client = Client()
    client.force_login(cast.rosa)
    schema = client.get("/api/v1/openapi.json").json()
    for path, operations in schema["paths"].items():
        for operation in operations.values():
            named = {entry["name"] for entry in operation.get("parameters", []) if entry["in"] == "path"}
            assert named == set(re.findall(r"\{(\w+)\}", path)), path
