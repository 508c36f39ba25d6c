"""The page of the plan, and the same through the API."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from django.test import Client

from backend.annotate.batches.models import BatchKind
from backend.core.accounts.services import create_token
from backend.design.corpora.models import Corpus
from backend.design.samples.models import Item
from corpus.sampling.designs import PpsPosts
from tests.backend.decide.agreement.fixtures import Team
from tests.batch_fixtures import Work
from tests.cast import NOW, Cast
from tests.demo_corpus import draw_demo

pytestmark = pytest.mark.django_db
HERE = "/studies/kind-words/preregistration"
CALLS = "/api/v1/studies/kind-words/plans"
FILLED = {
    "design": "pps_posts",
    "measure": "gwet_ac1",
    "bound": "low",
    "at_least": "0.7",
    "learners": ["majority"],
    "contrasts": ["overall"],
    "epsilon": "0.15",
    "note": "Comfort is more common where few people write.",
}


@pytest.fixture
def work(cast: Cast, demo_corpus: Corpus) -> Work:
    sample = draw_demo(demo_corpus, "Main", PpsPosts(n=3), cast.rosa)
    return Work.of(cast.study, cast.rosa, list(Item.objects.filter(draws__sample=sample).order_by("item_id")))


@pytest.fixture
def rosa(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.rosa)
    return client


def text(client: Client) -> str:
    answer = client.get(HERE)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def judge(work: Work, cast: Cast) -> None:
    batch = work.batch(cast.amal, items=work.items[:2], kind=BatchKind.OVERLAP)
    Team(work).answer_all(batch, {cast.amal: work.answers})


def test_without_a_codebook_it_says_what_to_do(rosa: Client) -> None:
    assert "start with one" in text(rosa)


def test_a_plan_is_frozen_and_deviations_are_shown(rosa: Client, work: Work, cast: Cast) -> None:
    assert "Freeze a plan" in text(rosa)
    filled = {**FILLED, "corpus": work.study.corpora.get().name, "n_items": "7"}
    answer = rosa.post(HERE, filled)
    assert answer.status_code == 302, answer.content.decode()[-2000:]
    page = text(rosa)
    assert "Plan 1" in page and "Comfort is more common where few people write." in page
    assert "lower bound of gwet_ac1 at least 0.70" in page
    assert "deviation" in page  # The study's rule still is another one
    kept = rosa.get(f"{HERE}/1.json").content
    assert hashlib.sha256(kept).hexdigest() in page
    assert "Freeze another plan" in page
    judge(work, cast)
    assert "Freeze another plan" not in text(rosa)


def test_with_labels_and_without_a_plan_it_is_too_late(rosa: Client, work: Work, cast: Cast) -> None:
    judge(work, cast)
    assert "none can be frozen any more" in text(rosa)
    assert rosa.post(HERE, FILLED).status_code == 200
    assert not work.study.preregistrations.exists()


def test_a_sample_needs_a_number_and_the_same_plan_is_refused(rosa: Client, work: Work) -> None:
    corpus = work.study.corpora.get().name
    assert "Say how many items" in rosa.post(HERE, {**FILLED, "corpus": corpus}).content.decode()
    assert rosa.post(HERE, FILLED).status_code == 302
    assert "says the same" in rosa.post(HERE, FILLED).content.decode()


def test_the_same_through_the_api(work: Work, cast: Cast) -> None:
    _, token = create_token(user=cast.rosa, name="test", now=NOW)
    client = Client(headers={"Authorization": f"Bearer {token}"})

    def call(path: str = "", body: object = None) -> tuple[int, Any]:
        if body is None:
            answer = client.get(f"{CALLS}{path}")
        else:
            answer = client.post(f"{CALLS}{path}", json.dumps(body), content_type="application/json")
        return answer.status_code, answer.json()

    plan = {
        "edition": 1,
        "agreement_rule": {"measure": "fleiss_kappa", "bound": "low", "at_least": 0.61},
        "learners": ["majority"],
        "contrasts": [{"section": "overall"}],
    }
    status, frozen = call(body=plan)
    assert (status, frozen["number"], frozen["created_by"]) == (201, 1, "rosa")
    assert frozen["plan"]["edition"] == {"number": 1, "hash": work.edition.hash}
    assert call("/1") == (200, frozen) and call() == (200, [frozen])
    status, refused = call(body={**plan, "learners": ["oracle"]})
    assert (status, refused["error"]) == (422, "UnknownInPlan")
    status, rows = call("/1/comparison")
    assert status == 200
    assert {row["what"]: row["outcome"] for row in rows}["agreement rule"] == "as planned"
    assert call("/2")[0] == 404
