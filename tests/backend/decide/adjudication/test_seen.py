"""Nothing is decided that was not shown: answers, flags and editions that came since are told of first."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

from backend.annotate.discussions.models import Discussion, DiscussionState
from backend.decide.adjudication.models import Decision, Suspicion, SuspicionKind
from backend.decide.adjudication.queue import Reason, queue_for
from backend.design.codebooks.models import Edition
from backend.design.codebooks.services import add_edition
from tests.backend.decide.adjudication.fixtures import ADVICE, EMOTIONS, Bench
from tests.backend.decide.adjudication.test_views import address, client_of, filled

REMEMBERED = ("decision_round", "expected_number", "judgments_hash", "edition", "opened_at")


def shown_by(page: Any) -> dict[str, str]:
    """What the hidden fields of the page carry, as a browser would send them."""
    return {name: str(page.context[name]) for name in REMEMBERED}


def opened(bench: Bench) -> tuple[Client, dict[str, str]]:
    """Rosa opens a disputed item."""
    bench.disagree(bench.items[0])
    client = client_of(bench.cast.rosa)
    page = client.get(address(bench.items[0]))
    shown = shown_by(page)
    for name, value in shown.items():
        assert f'name="{name}" value="{value}"' in page.content.decode()
    return client, shown


def reworded(bench: Bench) -> Edition:
    return add_edition(
        study=bench.study,
        source=bench.work.edition.source.replace("definition: ", "definition: Not ", 1),
        file_name="codebook.yaml",
        note="Reworded",
        actor=bench.cast.rosa,
        now=timezone.now(),
    )


def test_an_answer_that_changed_while_the_page_was_open(bench: Bench) -> None:
    client, shown = opened(bench)
    item = bench.items[0]
    bench.hand_in(bench.cast.bea, item, bench.answer(item, ADVICE), minutes=30, now=timezone.now())
    body = filled(bench, item, EMOTIONS, reason="A long thought.") | shown
    page = client.post(address(item), body)
    assert not Decision.objects.exists()
    told = page.content.decode()
    assert "An answer was changed meanwhile" in told
    assert "Bea answered after you opened this page" in told
    assert "A long thought." in told
    assert shown_by(page)["judgments_hash"] != shown["judgments_hash"]
    client.post(address(item), body | shown_by(page))
    assert Decision.objects.get().judgments_hash == shown_by(page)["judgments_hash"]


def test_a_slip_in_the_form_does_not_hide_the_change(bench: Bench) -> None:
    client, shown = opened(bench)
    item = bench.items[0]
    bench.hand_in(bench.cast.bea, item, bench.answer(item, ADVICE), minutes=30)
    body = filled(bench, item, EMOTIONS) | shown | {f"quotes-{EMOTIONS}": "never said"}
    assert shown_by(client.post(address(item), body)) == shown


def test_an_edition_that_was_published_while_the_page_was_open(bench: Bench) -> None:
    client, shown = opened(bench)
    item, edition = bench.items[0], reworded(bench)
    page = client.post(address(item), filled(bench, item, EMOTIONS, reason="So it is.") | shown)
    assert not Decision.objects.exists()
    assert "Edition 2 is in force now" in page.content.decode()
    assert "So it is." in page.content.decode()
    client.post(address(item), filled(bench, item, EMOTIONS) | shown_by(page))
    assert Decision.objects.get().edition == edition


def test_what_came_up_while_the_page_was_open_is_not_answered_by_its_decision(bench: Bench) -> None:
    client, shown = opened(bench)
    item = bench.items[0]
    Suspicion.objects.create(
        item=item,
        kind=SuspicionKind.RECHECK,
        code=EMOTIONS,
        detail={"annotator": "amal", "other": item.item_id, "values": [1, 0]},
        detail_hash="x",
        found_at=timezone.now(),
    )
    client.post(address(item), filled(bench, item, EMOTIONS) | shown)
    (entry,) = queue_for(bench.cast.rosa, bench.study).entries
    assert entry.points == {Reason.SUSPECT: 1}


def test_a_flag_that_came_while_the_page_was_open_is_not_settled_unread(bench: Bench) -> None:
    client, shown = opened(bench)
    item = bench.items[0]
    bench.hand_in(
        bench.cast.bea, item, bench.work.answers(item, EMOTIONS, flag="Please look."), now=timezone.now()
    )
    client.post(address(item), filled(bench, item, EMOTIONS, settles="on", reason="Yes.") | shown)
    assert Decision.objects.exists()
    assert Discussion.objects.get().state == DiscussionState.OPEN
    assert [entry.points for entry in queue_for(bench.cast.rosa, bench.study).entries] == [{Reason.FLAG: 1}]


def test_a_moment_to_come_is_not_believed(bench: Bench) -> None:
    client, shown = opened(bench)
    ahead = timezone.now() + timedelta(days=300)
    body = filled(bench, bench.items[0], EMOTIONS) | shown | {"opened_at": ahead.isoformat()}
    client.post(address(bench.items[0]), body)
    decision = Decision.objects.get()
    assert decision.opened_at == decision.made_at


def test_a_call_carries_what_it_read(bench: Bench) -> None:
    client, _ = opened(bench)
    item = bench.items[0]
    base = f"/api/v1/studies/{bench.study.slug}/adjudication/items/{item.item_id}"
    read = client.get(base).json()
    body = {name: read[name] for name in REMEMBERED} | {"accept": "amal"}
    bench.hand_in(bench.cast.bea, item, bench.answer(item, ADVICE), minutes=30)
    refused = client.post(f"{base}/decisions", json.dumps(body), "application/json")
    assert (refused.status_code, refused.json()["error"]) == (409, "ChangedMeanwhile")
    body["judgments_hash"] = refused.json()["now"]["judgments_hash"]
    reworded(bench)
    refused = client.post(f"{base}/decisions", json.dumps(body), "application/json")
    assert (refused.status_code, refused.json()["now"]["edition"]) == (409, 2)
    again = client.post(f"{base}/decisions", json.dumps(body | {"edition": 2}), "application/json")
    assert again.status_code == 201
    stored = Decision.objects.get().opened_at
    assert stored is not None
    assert stored.isoformat()[:19] == read["opened_at"][:19]
