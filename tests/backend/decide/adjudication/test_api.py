"""Calls about adjudication do what the pages do, and answer in a form that a notebook can act on."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from backend.core.jobs.models import Job
from backend.decide.adjudication.models import Decision
from backend.design.samples.models import Item
from tests.backend.decide.adjudication.fixtures import ADVICE, EMOTIONS, Bench


class Caller:
    def __init__(self, bench: Bench, who: str = "rosa") -> None:
        self.client, self.base = Client(), f"/api/v1/studies/{bench.study.slug}/adjudication"
        self.client.force_login(getattr(bench.cast, who))

    def get(self, path: str) -> dict[str, object]:
        answer = self.client.get(f"{self.base}/{path}")
        assert answer.status_code == 200
        found: dict[str, object] = answer.json()
        return found

    def post(self, path: str, body: object = None) -> tuple[int, dict[str, object]]:
        answer = self.client.post(f"{self.base}/{path}", json.dumps(body or {}), "application/json")
        return answer.status_code, answer.json() if answer.content else {}

    def decide(self, item: Item, **body: object) -> tuple[int, dict[str, object]]:
        return self.post(
            f"items/{item.item_id}/decisions", {"decision_round": 1, "expected_number": 0} | body
        )


@pytest.fixture
def disputed(bench: Bench) -> Item:
    bench.disagree(bench.items[0])
    return bench.items[0]


def test_the_queue_and_an_item(bench: Bench, disputed: Item) -> None:
    caller = Caller(bench)
    queue = caller.get("queue?reason=disagreement")
    assert queue["items"] == [
        {"item": disputed.item_id, "reasons": {"disagreement": 1}, "codes": [EMOTIONS], "points": 1}
    ]
    item = caller.get(f"items/{disputed.item_id}")
    assert (item["decision_round"], item["expected_number"], item["disputed"]) == (1, 0, [EMOTIONS])
    assert "lost" not in json.dumps(item)


def test_accepting_undoing_and_the_history(bench: Bench, disputed: Item) -> None:
    caller = Caller(bench)
    status, decision = caller.decide(disputed, accept="amal", reason="Yes.")
    assert (status, decision["way"], decision["accepted_from"]) == (201, "accepted", "amal")
    status, undone = caller.post(f"decisions/{decision['id']}/undo")
    assert (status, undone["way"], undone["number"]) == (200, "undone", 2)
    status, restored = caller.post(f"decisions/{decision['id']}/restore?expected_number=2")
    assert (status, restored["way"], restored["stands"]) == (200, "accepted", True)
    steps = caller.client.get(f"{caller.base}/items/{disputed.item_id}/decisions").json()
    assert [step["number"] for step in steps] == [3, 2, 1]


def test_the_majority_and_an_answer_of_ones_own(bench: Bench, disputed: Item) -> None:
    caller = Caller(bench)
    assert caller.decide(disputed, majority=True)[0] == 201
    status, problem = caller.decide(disputed, expected_number=1, answers={"values": {ADVICE: 1}})
    assert (status, problem["error"]) == (422, "DecisionRefused")
    assert caller.decide(disputed, expected_number=1)[1]["error"] == "OneWay"
    assert caller.decide(disputed, expected_number=1, accept="otto")[1]["error"] == "NoSuchSide"


def test_a_conflict_is_a_409_with_what_the_other_decided(bench: Bench, disputed: Item) -> None:
    Caller(bench, "ravi").decide(disputed, accept="bea", reason="Bea is right.")
    status, conflict = Caller(bench).decide(disputed, majority=True)
    assert (status, conflict["error"]) == (409, "DecidedMeanwhile")
    theirs = conflict["theirs"]
    assert isinstance(theirs, dict)
    assert (theirs["author"], theirs["reason"], theirs["number"]) == ("ravi", "Bea is right.", 1)
    assert Caller(bench).decide(disputed, majority=True, expected_number=1)[0] == 201


def test_the_export_has_every_step_and_no_text(bench: Bench, disputed: Item) -> None:
    caller = Caller(bench)
    caller.decide(disputed, accept="amal")
    lines = b"".join(caller.client.get(f"{caller.base}/decisions")).decode()
    (row,) = [json.loads(line) for line in lines.splitlines()]
    assert (row["item"], row["answers"]["values"][EMOTIONS]) == (disputed.item_id, 1)
    assert "lost" not in lines


def test_settings_and_suspects(bench: Bench) -> None:
    caller = Caller(bench)
    wanted = {"evidence_threshold": 0.25, "second_share": 0.5, "seed": 3}
    caller.client.put(f"{caller.base}/settings", json.dumps(wanted), "application/json")
    assert caller.get("settings") == wanted
    status, found = caller.post("suspects")
    assert (status, found["job"]) == (202, Job.objects.get().pk)
    assert caller.client.get(f"{caller.base}/suspects").json() == []
    assert not Decision.objects.exists()
