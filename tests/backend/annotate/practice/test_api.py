"""A notebook can list, read, write, import, carry over and delete gold, and learns what is wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from backend.annotate.practice.models import GoldAnswer
from backend.core.accounts.models import User
from backend.core.accounts.services import create_token
from tests.backend.annotate.practice.fixtures import POST, Practice, add_codebook, add_item
from tests.cast import NOW, Cast

GOLD = "/api/v1/studies/kind-words/gold"


class Notebook:
    def __init__(self, user: User) -> None:
        _, token = create_token(user=user, name="test", now=NOW)
        self.client = Client(headers={"Authorization": f"Bearer {token}"}, enforce_csrf_checks=True)

    def call(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        sent = "" if body is None else json.dumps(body)
        answer = self.client.generic(method, path, sent, content_type="application/json")
        return answer.status_code, json.loads(answer.content) if answer.content else None


@pytest.fixture
def rosa(cast: Cast) -> Notebook:
    return Notebook(cast.rosa)


def test_gold_is_written_read_and_deleted(cast: Cast, rosa: Notebook) -> None:
    add_codebook(cast)
    add_item(cast)
    body = {
        "codes": {"sharing-emotions": {"ticked": True, "quotes": ["cried"], "why": "A sign."}},
        "remark": "R",
    }
    status, written = rosa.call("PUT", f"{GOLD}/item-1", body)
    assert status == 200
    at = POST.index("cried")
    assert written["codes"]["sharing-emotions"] == {
        "value": 1,
        "quotes": [{"part": "post", "start": at, "end": at + 5, "text": "cried"}],
        "why": "A sign.",
    }
    assert len(written["codes"]) == 13
    assert rosa.call("GET", f"{GOLD}/item-1") == (200, written)
    status, listed = rosa.call("GET", GOLD)
    assert (status, [row["item"] for row in listed], listed[0]["edition"]) == (200, ["item-1"], 1)
    assert rosa.call("DELETE", f"{GOLD}/item-1") == (204, None)
    assert rosa.call("GET", f"{GOLD}/item-1")[0] == 404
    assert rosa.call("GET", f"{GOLD}?edition=7")[0] == 404


def test_refusals_say_why(cast: Cast, rosa: Notebook) -> None:
    item = add_item(cast)
    assert rosa.call("PUT", f"{GOLD}/item-1", {})[1]["error"] == "NoCodebook"
    add_codebook(cast)
    status, refused = rosa.call("PUT", f"{GOLD}/item-1", {"codes": {"sharing-emotions": {"ticked": True}}})
    assert (status, refused["error"]) == (422, "GoldRefused")
    assert "needs evidence" in refused["detail"]
    assert rosa.call("PUT", f"{GOLD}/item-1", {"code": {}})[0] == 422
    assert rosa.call("PUT", f"{GOLD}/nowhere", {})[0] == 404
    assert rosa.call("DELETE", f"{GOLD}/item-1")[1]["error"] == "NoGold"
    assert not GoldAnswer.objects.filter(item=item).exists()


def test_a_file_is_imported(cast: Cast, rosa: Notebook) -> None:
    add_codebook(cast)
    add_item(cast)
    line = json.dumps({"item": "item-1", "codes": {"sharing-emotions": {"quotes": ["cried"]}}})
    body = {"file_name": "gold.jsonl", "source": line}
    imported = {"added": 1, "changed": 0, "unchanged": 0, "notes": []}
    assert rosa.call("POST", f"{GOLD}/import", body) == (200, imported)
    status, refused = rosa.call("POST", f"{GOLD}/import", body | {"source": '{"item": "item-9"}'})
    assert (status, refused["error"]) == (422, "GoldFileRefused")
    assert "line 1, item item-9: this study has no such item" in refused["detail"]


def test_gold_is_carried_over(practice: Practice, rosa: Notebook) -> None:
    assert rosa.call("POST", f"{GOLD}/carry-over") == (200, {"items": 0, "left": {}})


def test_gold_in_use_stays(practice: Practice, rosa: Notebook) -> None:
    assert rosa.call("DELETE", f"{GOLD}/item-1")[1]["error"] == "GoldInUse"


@pytest.mark.parametrize(("name", "status"), [("amal", 403), ("otto", 404)])
def test_gold_is_for_researchers(practice: Practice, name: str, status: int) -> None:
    stranger = Notebook(User.objects.get(username=name))
    for method, path in (("GET", ""), ("GET", "/item-1"), ("PUT", "/item-1"), ("DELETE", "/item-1")):
        assert stranger.call(method, GOLD + path, {} if method == "PUT" else None)[0] == status
    assert stranger.call("POST", f"{GOLD}/import", {"file_name": "g.yaml", "source": ""})[0] == status
