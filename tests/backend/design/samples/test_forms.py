"""A sample can be asked for by its size in all, and what cannot be drawn is refused before any job."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from backend.core.jobs.models import Job
from backend.design.corpora.models import Corpus
from backend.design.samples.forms import DrawForm
from tests.cast import Cast

ASKED = {"name": "Main", "corpus": "texts", "kind": "uniform_pairs", "seed": "1"}


def form(cast: Cast, **asked: str) -> DrawForm:
    return DrawForm(ASKED | asked, study=cast.study)


@pytest.mark.usefixtures("demo_corpus")
def test_a_number_in_all_is_shared_out_among_the_communities(cast: Cast) -> None:
    asked = form(cast, total="7")
    assert asked.is_valid(), asked.errors
    assert asked.draw_request().n_by_community == {"NineToFive": 4, "manners": 3}
    asked = form(cast, total="7", n_by_community="manners = 1")
    assert asked.is_valid(), asked.errors
    assert asked.draw_request().n_by_community == {"NineToFive": 6, "manners": 1}


@pytest.mark.usefixtures("demo_corpus")
@pytest.mark.parametrize(
    ("asked", "field", "words"),
    [
        ({}, "n", "exactly one of the two"),
        ({"n": "3", "total": "6"}, "n", "exactly one of the two"),
        ({"total": "1"}, "total", "1 cannot be shared out among 2 communities: give at least 2"),
        ({"total": "9", "n_by_community": "manners = 3\nNineToFive = 6"}, "total", "leave this empty"),
    ],
)
def test_what_does_not_add_up_is_said(cast: Cast, asked: dict[str, str], field: str, words: str) -> None:
    refused = form(cast, **asked)
    assert not refused.is_valid()
    assert words in str(refused.errors[field])


def test_more_than_there_is_is_refused_before_the_job(cast: Cast, demo_corpus: Corpus) -> None:
    client = Client()
    client.force_login(cast.rosa)
    address = reverse("samples:draw", args=[cast.study.slug])
    page = client.post(address, ASKED | {"n": "5000"}).content.decode()
    assert "5000" in page or "5,000" in page
    assert not Job.objects.exists()
    assert client.post(address, ASKED | {"total": "8"}).status_code == 302
    assert Job.objects.get().arguments["request"]["n_by_community"] == {"NineToFive": 4, "manners": 4}
