"""The pages of the test: what is missing, what came out, and the table for the paper."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from backend.decide.releases.models import Release
from tests.backend.learn.alternative_annotator.fixtures import overlap_release, right_labels
from tests.backend.learn.models.fixtures import train
from tests.cast import Cast

pytestmark = pytest.mark.django_db
HERE = "/studies/kind-words/models"
OVERVIEW = f"{HERE}/annotator-test"


@pytest.fixture
def rosa(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.rosa)
    return client


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return " ".join(answer.content.decode().split())


def test_an_adapter_s_page_says_where_it_could_stand_in(rosa: Client, release: Release) -> None:
    train(release, "tfidf-logistic")
    page = f"{HERE}/1/annotator-test"
    assert f'href="{page}"' in text(rosa, f"{HERE}/1")
    assert "Not tested yet" in text(rosa, page)
    assert f'href="{page}"' in text(rosa, OVERVIEW)
    assert rosa.post(page, {"epsilon": "0.15", "release": "1"}).status_code == 302
    shown = text(rosa, page)
    assert shown.count("could stand in") == 3 and "Where it could" in shown
    assert "annotator-3" in shown, "annotator by annotator"
    rosa.post(page, {"epsilon": "0.1", "release": "1"})
    assert "All its tests" in text(rosa, page) and "?test=1" in text(rosa, page)
    assert "ε = 0.15" in text(rosa, f"{page}?test=1")


def test_what_is_missing_is_explained(rosa: Client, cast: Cast, tmp_path: Path) -> None:
    assert "No test yet" in text(rosa, OVERVIEW)
    train(overlap_release(cast.study, tmp_path / "single", n=40, annotators=1), "majority")
    page = f"{HERE}/1/annotator-test"
    assert "On 40 fewer than two annotators" in text(rosa, page)
    refused = rosa.post(page, {"epsilon": "0.15", "release": "1"})
    assert refused.status_code == 200 and "open an overlap batch" in refused.content.decode()


def test_labels_from_outside_are_imported_tested_and_exported(rosa: Client, release: Release) -> None:
    assert rosa.get(f"{OVERVIEW}/table.csv").status_code == 404
    wrong = SimpleUploadedFile("labels.csv", b"id,kindness\na,1\n")
    body = {"name": "GPT", "edition": str(release.edition.number)}
    refused = rosa.post(OVERVIEW, {**body, "file": wrong}).content.decode()
    assert "No column is called as a theme" in refused
    table = SimpleUploadedFile("labels.csv", right_labels(release))
    answer = rosa.post(OVERVIEW, {**body, "file": table})
    assert (answer.status_code, answer.headers["Location"]) == (302, f"{OVERVIEW}/imported/1")
    rosa.post(f"{OVERVIEW}/imported/1", {"epsilon": "0.2", "release": "1"})
    assert "could stand in" in text(rosa, f"{OVERVIEW}/imported/1")
    assert "GPT" in text(rosa, OVERVIEW)
    written = rosa.get(f"{OVERVIEW}/table.csv").content.decode()
    assert written.count("GPT,1,") == 3 and ",0.2," in written
    assert r"\emph{GPT, release 1" in rosa.get(f"{OVERVIEW}/table.tex").content.decode()
