"""The bridge from one edition to the next has a page and a call, which say the same."""

from __future__ import annotations

import pytest
from django.test import Client

from backend.annotate.batches.models import BatchKind
from backend.decide.releases.models import Release
from backend.decide.releases.requests import FreezeRequest
from backend.decide.releases.services import freeze_release
from backend.design.codebooks.services import add_edition
from backend.design.samples.models import Item
from tests.backend.decide.adjudication.conftest import bench
from tests.backend.decide.adjudication.fixtures import ADVICE, Bench
from tests.batch_fixtures import Work
from tests.cast import NOW
from tests.page_text import page_text

__all__ = ["bench"]
HERE, CALL = "/studies/kind-words/edition-bridge", "/api/v1/studies/kind-words/edition-bridge"


@pytest.fixture
def rosa(bench: Bench) -> Client:
    client = Client()
    client.force_login(bench.cast.rosa)
    return client


def frozen(bench: Bench, name: str) -> Release:
    request = FreezeRequest.model_validate({"name": name, "seed": 3})
    return freeze_release(study=bench.study, request=request, actor=bench.cast.rosa, now=NOW)


@pytest.fixture
def two_editions(bench: Bench) -> None:
    """Six items that ask for advice, then two of them judged again under an edition that words the code otherwise."""
    for item in bench.items:
        bench.all_say(item, [ADVICE], [ADVICE], [ADVICE])
    frozen(bench, "Before")
    add_edition(
        study=bench.study,
        source=bench.work.edition.source.replace(
            "name: Offering personalised advice", "name: Offering any advice"
        ),
        file_name="codebook.yaml",
        note="Another name",
        actor=bench.cast.rosa,
        now=NOW,
    )


def judge_again(bench: Bench, *items: Item) -> None:
    """Under the edition in force, by Amal, who finds no advice any more."""
    again = Work.of(bench.study, bench.cast.rosa, list(items))
    batch = again.batch(bench.cast.amal, items=items, name="Again", kind=BatchKind.MAIN)
    for item in items:
        bench.hand_in(bench.cast.amal, item, again.answers(item), batch=batch)


def test_without_an_older_release_the_page_says_what_comes_first(bench: Bench, rosa: Client) -> None:
    assert "Nothing to carry on yet" in page_text(rosa.get(HERE))
    for item in bench.items:
        bench.all_say(item, [], [], [])
    frozen(bench, "Only one")
    assert "Nothing to carry on yet" in page_text(rosa.get(HERE))
    assert "Edition bridge" in page_text(rosa.get("/studies/kind-words/codebook"))


def test_the_page_and_the_call_estimate_alike(bench: Bench, rosa: Client, two_editions: None) -> None:
    judge_again(bench, *bench.items[:3])
    frozen(bench, "After")
    assert "Before (edition 1)" in page_text(rosa.get(HERE))
    page = page_text(rosa.get(HERE, {"old": "1", "new": "2", "half_width": "10"}))
    found = rosa.get(CALL, {"old": "1", "new": "2", "half_width": "0.1"}).json()
    code = next(each for each in found["codes"] if each["code"] == ADVICE)
    n_with_reply = sum(item.reply_text is not None for item in bench.items[:3])
    assert (found["n_items"], code["old_labels"]["value"]) == (6, 1.0)
    assert code["corrected"]["n_gold"] == n_with_reply > 0
    assert code["corrected"]["value"] == pytest.approx(0.0)
    assert "6 items under the old edition" in page and "Offering any advice" in page


def test_what_cannot_be_estimated_says_why(bench: Bench, rosa: Client, two_editions: None) -> None:
    frozen(bench, "After")
    page = page_text(rosa.get(HERE, {"old": 1, "new": 1, "half_width": 5}))
    assert "Nothing can be estimated yet" in page and "the same edition of the codebook" in page
    refused = rosa.get(CALL, {"old": 1, "new": 1})
    assert refused.status_code == 422 and "the same edition" in refused.json()["detail"]
    assert rosa.get(CALL, {"old": 1, "new": 9}).status_code == 404
