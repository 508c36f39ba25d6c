"""The calls give each person what the pages give them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from backend.annotate.discussions.models import Discussion
from backend.core.accounts.models import User
from tests.backend.annotate.discussions.fixtures import Bench

HERE = "/api/v1/studies/kind-words/discussions"


@pytest.fixture
def flagged(bench: Bench) -> Discussion:
    return bench.flagged(bench.cast.amal, bench.item("one"), bench.batch())


def call(user: User, method: str, address: str, body: dict[str, Any] | None = None) -> tuple[int, Any]:
    client = Client()
    client.force_login(user)
    answer = client.generic(
        method,
        HERE + address,
        data=b"" if body is None else json.dumps(body).encode(),
        content_type="application/json",
    )
    return answer.status_code, answer.json()


def test_a_discussion_from_flag_to_end(bench: Bench, flagged: Discussion) -> None:
    cast, one = bench.cast, f"/{flagged.pk}"
    status, (listed,) = call(cast.rosa, "GET", "?state=open")
    assert (status, listed["id"], listed["annotator"], listed["comment"]) == (
        200,
        flagged.pk,
        "amal",
        "Is this a request?",
    )
    assert listed["batch"] == flagged.assigned_item.assignment.batch_id
    status, said = call(cast.rosa, "POST", f"{one}/messages", {"body": "What else could it be?"})
    assert (status, said["author"]) == (201, "rosa")
    assert call(cast.rosa, "GET", "?state=open")[1] == []
    status, settled = call(cast.rosa, "POST", f"{one}/settle", {"reason": "A request."})
    assert (status, settled["state"]) == (200, "settled")
    status, refused = call(cast.ravi, "POST", f"{one}/settle", {"reason": "No."})
    assert (status, refused["error"]) == (422, "AlreadySettled")
    assert call(cast.rosa, "POST", f"{one}/reopen")[1]["state"] == "open"
    bodies = [said["body"] for said in call(cast.amal, "GET", f"{one}/messages")[1]]
    assert bodies == ["Is this a request?", "What else could it be?", "A request."]


def test_an_annotator_learns_of_anothers_doubt_only_when_shared(bench: Bench, flagged: Discussion) -> None:
    cast, one = bench.cast, f"/{flagged.pk}"
    work = bench.assign(flagged.assigned_item.assignment.batch, cast.bea, flagged.assigned_item.item)
    assert call(cast.bea, "GET", "") == (200, [])
    for method, address in (("GET", one), ("GET", f"{one}/messages"), ("POST", f"{one}/messages")):
        body = {"body": "Hello"} if method == "POST" else None
        assert call(cast.bea, method, address, body)[0] == 404
    status, refused = call(cast.rosa, "PUT", f"{one}/share")
    assert (status, refused["error"]) == (422, "StillBlind")
    bench.hand_in(work)
    assert call(cast.rosa, "PUT", f"{one}/share")[0] == 200
    status, (shared,) = call(cast.bea, "GET", "")
    assert (shared["id"], shared["batch"]) == (flagged.pk, None)
    assert call(cast.rosa, "DELETE", f"{one}/share")[1]["shared_at"] is None
    assert call(cast.bea, "GET", one)[0] == 404


@pytest.mark.parametrize("action", ["settle", "reopen", "share"])
def test_only_researchers_decide(bench: Bench, flagged: Discussion, action: str) -> None:
    method = "PUT" if action == "share" else "POST"
    assert call(bench.cast.amal, method, f"/{flagged.pk}/{action}", {"reason": "x"})[0] == 403
    assert call(bench.cast.otto, method, f"/{flagged.pk}/{action}", {"reason": "x"})[0] == 404


def test_the_digest_keeps_texts_back_unless_asked(bench: Bench, flagged: Discussion) -> None:
    batch = flagged.assigned_item.assignment.batch_id
    (bare,) = call(bench.cast.rosa, "GET", f"/digests/{batch}")[1]["entries"]
    assert (bare["texts"], bare["comment"], bare["annotator"]) == (None, "Is this a request?", "Amal")
    (whole,) = call(bench.cast.rosa, "GET", f"/digests/{batch}?text=true")[1]["entries"]
    assert [text["part"] for text in whole["texts"]] == ["post", "reply"]
    assert call(bench.cast.amal, "GET", f"/digests/{batch}")[0] == 403


def test_an_annotator_is_told_display_names_and_a_researcher_log_in_names(
    bench: Bench, flagged: Discussion
) -> None:
    cast, one = bench.cast, f"/{flagged.pk}"
    call(cast.rosa, "POST", f"{one}/messages", {"body": "What else could it be?"})
    call(cast.rosa, "PUT", f"{one}/share")
    (seen,) = call(cast.bea, "GET", "")[1]
    said = [message["author"] for message in call(cast.bea, "GET", f"{one}/messages")[1]]
    assert (seen["annotator"], said) == ("Amal", ["Amal", "Rosa"])
    assert call(cast.bea, "POST", f"{one}/messages", {"body": "Hm."})[1]["author"] == "Bea"
    said = [message["author"] for message in call(cast.ravi, "GET", f"{one}/messages")[1]]
    assert said == ["amal", "rosa", "bea"]


def test_many_discussions_cost_as_many_queries_as_one_and_come_in_pages(bench: Bench) -> None:
    cast, batch = bench.cast, bench.batch()

    def asked(address: str = "") -> tuple[int, list[int]]:
        with CaptureQueriesContext(connection) as seen:
            _, found = call(cast.amal, "GET", address)
        return len(seen), [row["id"] for row in found]

    bench.flagged(cast.amal, bench.item("0"), batch)
    once, _ = asked()
    for number in range(1, 4):
        bench.flagged(cast.amal, bench.item(str(number)), batch)
    queries, ids = asked()
    assert (queries, len(ids)) == (once, 4)
    assert asked("?limit=2&offset=1")[1] == ids[1:3]


def test_proposals_are_listed_with_whether_they_are_for_the_next_edition(
    bench: Bench, flagged: Discussion
) -> None:
    cast = bench.cast
    assert call(cast.rosa, "GET", "/proposals") == (200, [])
    change = {"reason": "Unclear.", "proposed_code": "asking-advice", "proposed_change": "Say more."}
    call(cast.rosa, "POST", f"/{flagged.pk}/settle", change)
    status, (proposal,) = call(cast.rosa, "GET", "/proposals")
    assert (status, proposal["discussion"], proposal["proposed_change"], proposal["is_pending"]) == (
        200,
        flagged.pk,
        "Say more.",
        True,
    )
    assert (proposal["settled_by"], proposal["proposed_code"]) == ("rosa", "asking-advice")
    assert call(cast.amal, "GET", "/proposals")[0] == 403
