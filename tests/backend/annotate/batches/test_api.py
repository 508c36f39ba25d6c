"""A notebook plans, opens, watches and changes batches."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from backend.annotate.batches.models import Batch
from backend.core.accounts.models import User
from backend.core.accounts.services import create_token
from tests.backend.annotate.batches.fixtures import add_gold, asked, opened, places, submit
from tests.cast import NOW, Cast

HERE = "/api/v1/studies/kind-words/batches"
WISH = {
    "name": "Batch 1",
    "kind": "main",
    "annotators": ["amal", "bea"],
    "n": 4,
    "samples": ["Main"],
    "seed": 3,
}


class Notebook:
    def __init__(self, user: User) -> None:
        _, token = create_token(user=user, name="test", now=NOW)
        self.client = Client(headers={"Authorization": f"Bearer {token}"})

    def call(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        sent = json.dumps(body) if body is not None else ""
        answer = self.client.generic(method, f"{HERE}{path}", sent, content_type="application/json")
        return answer.status_code, json.loads(answer.content)


@pytest.fixture
def rosa(ready: Cast) -> Notebook:
    return Notebook(ready.rosa)


def test_a_plan_becomes_a_batch(rosa: Notebook) -> None:
    status, plan = rosa.call("POST", "/plan", WISH)
    assert (status, sorted(plan["shares"]), Batch.objects.count()) == (200, ["amal", "bea"], 0)
    status, batch = rosa.call("POST", "", WISH | {"plan": plan["plan"]})
    assert (status, batch["kind"], batch["counts"]["assigned"]) == (201, "main", 8)
    assert batch["plan"] == plan["plan"]
    unasked = {"items": [], "submitted_days_ago": 0, "due_on": None}
    adaptive = {"start_with": 2, "at_most": 3, "sure_at": 0.9, "budget": None}
    assert batch["request"] == WISH | unasked | adaptive
    assert [row["name"] for row in rosa.call("GET", "")[1]] == ["Batch 1"]


def test_refusals_have_a_name_and_a_reason(rosa: Notebook) -> None:
    rosa.call("POST", "", WISH)
    for change, error in (
        ({}, "NameTaken"),
        ({"name": "B", "n": 40}, "TooFewItems"),
        ({"name": "B", "samples": []}, "NoSample"),
        ({"name": "B", "annotators": ["otto"]}, "UnknownAnnotator"),
        ({"name": "B", "plan": "0" * 64}, "PlanChanged"),
        ({"name": "B", "due_on": "2020-01-01"}, "DueDatePast"),
    ):
        status, answer = rosa.call("POST", "", WISH | change)
        assert (status, answer["error"]) == (422, error)
    assert rosa.call("POST", "/plan", WISH)[1]["error"] == "NameTaken"


def test_active_batches_come_from_calls(rosa: Notebook) -> None:
    wish = WISH | {"kind": "active", "items": ["item-1", "item-2", "item-3"]}
    status, batch = rosa.call("POST", "", wish)
    assert (status, batch["kind"], batch["counts"]["assigned"]) == (201, "active", 3)


def test_a_batch_is_read_with_its_progress(ready: Cast, rosa: Notebook) -> None:
    batch = opened(ready, asked("overlap", n=3))
    submit(places(batch, ready.amal)[0], seconds=40, flagged=True)
    status, read = rosa.call("GET", f"/{batch.pk}")
    assert status == 200
    assert read["counts"] == {
        "assigned": 9,
        "submitted": 1,
        "skipped": 0,
        "left": 8,
        "flagged": 1,
        "in_quarantine": 0,
        "fixable": 0,
    }
    amal = read["annotators"][0]
    assert (amal["annotator"], amal["median_seconds"], amal["is_withdrawn"]) == ("amal", 40, False)


def test_a_batch_lives_through_calls(ready: Cast, rosa: Notebook) -> None:
    batch = opened(ready, asked("main", n=4))
    one = f"/{batch.pk}"
    for verb, state in (("pause", "paused"), ("resume", "open"), ("close", "closed"), ("reopen", "open")):
        assert rosa.call("POST", f"{one}/{verb}")[1]["state"] == state
    assert rosa.call("POST", f"{one}/resume")[1]["error"] == "WrongState"
    assert rosa.call("PUT", f"{one}/name", {"name": "First"})[1]["name"] == "First"
    assert rosa.call("POST", f"{one}/discard")[1]["state"] == "discarding"
    assert rosa.call("POST", f"{one}/keep")[1]["state"] == "open"
    assert rosa.call("PUT", f"{one}/due-date", {"due_on": "2999-01-01"})[1]["due_on"] == "2999-01-01"
    _, after = rosa.call("POST", f"{one}/reassign", {"annotator": "amal", "to": ["bea"], "n": 1})
    assert [row["counts"]["assigned"] for row in after["annotators"]] == [3, 5, 4]
    _, after = rosa.call("POST", f"{one}/withdraw", {"annotator": "amal"})
    assert (after["with_nobody"], after["annotators"][0]["is_withdrawn"]) == (3, True)
    _, after = rosa.call("POST", f"{one}/restore", {"annotator": "amal"})
    assert after["with_nobody"] == 0
    assert rosa.call("POST", f"{one}/withdraw", {"annotator": "otto"})[1]["error"] == "NotInBatch"


def test_only_researchers_of_the_study_call(ready: Cast) -> None:
    batch = opened(ready, asked("overlap", n=1))
    assert Notebook(ready.amal).call("GET", f"/{batch.pk}")[0] == 403
    assert Notebook(ready.otto).call("GET", f"/{batch.pk}")[0] == 404


def test_the_state_of_each_item_can_be_read(ready: Cast, rosa: Notebook) -> None:
    batch = opened(ready, asked("main", n=2, annotators=["amal", "bea"]))
    place = places(batch, ready.amal)[0]
    submit(place, flagged=True)
    status, items = rosa.call("GET", f"/{batch.pk}/items")
    by_item = {row["item"]: row["states"] for row in items}
    assert (status, len(items)) == (200, 4)
    assert by_item[place.item.item_id] == {"amal": {"state": "submitted", "is_flagged": True}}
    assert sum(states.get("bea", {}).get("state") == "to do" for states in by_item.values()) == 2
    assert rosa.call("GET", f"/{batch.pk}/items?limit=1&offset=3")[1] == items[3:]
    assert Notebook(ready.amal).call("GET", f"/{batch.pk}/items")[0] == 403


def test_practice_results_are_of_practice_batches(ready: Cast, rosa: Notebook) -> None:
    main = opened(ready, asked("main", n=2))
    assert rosa.call("GET", f"/{main.pk}/practice")[0] == 404
    add_gold(ready, ready.study.editions.get(), 29)
    main.delete()
    practice = opened(ready, asked("practice", name="Warm-up"))
    status, results = rosa.call("GET", f"/{practice.pk}/practice")
    assert status == 200
    assert results["annotators"][0] == {
        "annotator": "amal",
        "submitted": 0,
        "total": 1,
        "changed": 0,
        "first": {"matched": 0, "codes": 0},
        "latest": {"matched": 0, "codes": 0},
    }
    assert len(results["codes"]) == 3
