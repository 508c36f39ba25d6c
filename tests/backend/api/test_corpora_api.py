"""Files, corpora and samples from a notebook."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from backend.core.jobs.runner import run_job
from backend.design.corpora.models import Corpus
from corpus.demo import DEMO_FOLDER
from tests.backend.api.test_api import STUDY, Notebook
from tests.cast import Cast


@pytest.fixture
def rosa(cast: Cast, tmp_path: Path, settings: Settings) -> Notebook:
    settings.CORPORA_DIR, settings.FILES_DIR = tmp_path / "corpora", tmp_path / "files"
    return Notebook(cast.rosa)


def send(notebook: Notebook, name: str, content: bytes) -> int:
    return notebook.client.post(f"{STUDY}/files", {"file": SimpleUploadedFile(name, content)}).status_code


def test_from_an_upload_to_a_sample(rosa: Notebook) -> None:
    assert send(rosa, "manners.Posts.xml", (DEMO_FOLDER / "manners.Posts.xml").read_bytes()) == 201
    assert rosa.call("POST", f"{STUDY}/corpora", {"name": "Manners"})[0] == 201
    empty = rosa.call("GET", f"{STUDY}/corpora/manners")
    assert (empty[0], empty[1]["summary"]["communities"]) == (200, [])
    body = {
        "kind": "stackexchange",
        "posts": "manners.Posts.xml",
        "community": "manners",
        "cutoff": "2023-01-01",
    }
    status, job = rosa.call("POST", f"{STUDY}/corpora/manners/imports", body)
    assert status == 202
    run_job(job_id=job["id"], clock=timezone.now)
    assert rosa.call("GET", f"{STUDY}/jobs/{job['id']}")[1]["state"] == "done"
    summary = rosa.call("GET", f"{STUDY}/corpora/manners")[1]["summary"]
    assert summary["communities"][0]["posts"] == 20
    threads = rosa.call("GET", f"{STUDY}/corpora/manners/threads?community=manners")[1]
    assert (len(threads["threads"]), threads["has_next"]) == (10, True)
    request = {"name": "Pairs", "corpus": "manners", "kind": "uniform_pairs", "n": 4, "seed": 1}
    preview = rosa.call("POST", f"{STUDY}/samples/preview", request)[1]
    run_job(job_id=rosa.call("POST", f"{STUDY}/samples", request)[1]["id"], clock=timezone.now)
    sample = rosa.call("GET", f"{STUDY}/samples")[1][0]
    assert (sample["n_items"], sample["frame_hash"]) == (4, preview["frame_hash"])
    lines = b"".join(rosa.client.get(f"{STUDY}/samples/{sample['id']}/items")).splitlines()
    assert len(lines) == 4
    assert "post_text" not in json.loads(lines[0])
    assert rosa.call("DELETE", f"{STUDY}/samples/{sample['id']}")[0] == 204
    assert rosa.call("DELETE", f"{STUDY}/corpora/manners")[0] == 204
    assert rosa.call("DELETE", f"{STUDY}/files/manners.Posts.xml")[0] == 204


def test_the_columns_of_a_table_are_told(rosa: Notebook) -> None:
    send(rosa, "pairs.csv", b"asked,answered\nHow?,Like this.\n")
    assert rosa.call("GET", f"{STUDY}/files/pairs.csv/columns") == (200, ["asked", "answered"])


@pytest.mark.parametrize(
    ("method", "path", "body", "says"),
    [
        ("POST", "corpora/texts/imports", {"kind": "reddit", "submissions": ["gone"]}, "no file named"),
        ("GET", "corpora/texts/threads?community=nowhere", None, "No community 'nowhere'"),
        (
            "POST",
            "samples",
            {"name": "S", "corpus": "x", "kind": "pps_posts", "n": 1, "seed": 1},
            "no corpus",
        ),
        ("POST", "corpora", {"name": "Texts"}, "already has a corpus"),
        ("GET", "files/gone.csv/columns", None, "no file named"),
    ],
)
def test_refusals_say_why(
    rosa: Notebook, demo_corpus: Corpus, method: str, path: str, body: object, says: str
) -> None:
    status, answer = rosa.call(method, f"{STUDY}/{path}", body)
    assert status == 422
    assert says in answer["detail"]


def test_what_is_not_there_is_404_with_a_reason(rosa: Notebook, demo_corpus: Corpus) -> None:
    for path in ("corpora/none", "samples/99", "corpora/texts/labels/none", "codebook/editions/7"):
        status, answer = rosa.call("GET", f"{STUDY}/{path}")
        assert status == 404
        assert "This" in answer["detail"]


def test_an_upload_beyond_the_limit_is_stopped_before_it_is_read(rosa: Notebook, settings: Settings) -> None:
    settings.UPLOAD_MAX_BYTES = 1000
    assert send(rosa, "large.csv", b"x" * 100_000) == 400
    assert rosa.call("GET", f"{STUDY}/files") == (200, [])


def test_shipped_codebooks_are_listed_and_checked_before_use(rosa: Notebook) -> None:
    names = [entry["name"] for entry in rosa.call("GET", "/api/v1/codebooks")[1]]
    source = rosa.client.get(f"/api/v1/codebooks/{names[0]}").content.decode()
    status, found = rosa.call("POST", f"{STUDY}/codebook/check", {"source": source})
    assert (status, found["changes"]) == (200, [])
    assert not rosa.call("GET", f"{STUDY}/codebook/editions")[1]
    assert Client().get("/api/v1/codebooks").status_code == 401
