"""The notebook client against a live server: a study from pairs to a report, and each refusal in the server's words."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import fields
from datetime import timedelta
from fnmatch import fnmatchcase
from pathlib import Path
from threading import Event

import attune_client
import pandas as pd
import pytest
from attune_client import (
    Attune,
    Job,
    JobFailed,
    NotAllowed,
    NotFound,
    Refused,
    ServerUnreachable,
)
from attune_client.frames import COLUMNS
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from backend.api.urls import api
from backend.core.accounts.services import create_token
from backend.core.jobs.models import Job as JobRow
from backend.core.studies.models import Study as StudyRow
from backend.design.corpora.models import Corpus
from tests.backend.api.test_docs_example import work
from tests.backend.publish.reports.fixtures import finished_run, made_report, measured_overlap
from tests.cast import NOW, Cast

SOURCES = sorted(Path(attune_client.__file__).parent.glob("*.py"))
CALL = r'_connection\.(?:get|post|put|text|lines|upload|download)\(\s*f?"([a-z{][^"]*)"'
PAIRS = pd.DataFrame(
    {
        "post": [n // 2 for n in range(12)],
        "reply": range(12),
        "asked": [f"Day {n // 2}: my plant leans to the left and I wonder why." for n in range(12)],
        "said": [f"Turn the pot a little, {n} times if need be; it will thank you." for n in range(12)],
    }
)


@pytest.fixture
def folders(tmp_path: Path, settings: Settings) -> None:
    for name in ("CORPORA", "FILES", "RELEASES", "ADAPTERS", "LABELLED", "REPORTS", "ML"):
        setattr(settings, f"{name}_DIR", tmp_path / name.lower())
    settings.ML_PATIENCE = timedelta(0)


@contextmanager
def worker() -> Iterator[None]:
    stop = Event()
    with ThreadPoolExecutor(max_workers=1) as pool:
        done = pool.submit(work, stop)
        yield
        stop.set()
    done.result()


@pytest.fixture
def attune(cast: Cast, live_server: LiveServer) -> Iterator[Attune]:
    _, token = create_token(user=cast.rosa, name="notebook", now=NOW)
    with Attune(live_server.url, token) as attune:
        yield attune


@pytest.mark.django_db(transaction=True)
def test_from_pairs_to_an_open_batch(cast: Cast, folders: None, attune: Attune) -> None:
    study = attune.create_study("Plants", description="What people say to each other about plants")
    assert study.slug in set(attune.studies()["slug"])
    assert study.add_codebook(attune.shipped_codebook("epitome"), note="To begin with") == 1
    assert "epitome" in set(attune.shipped_codebooks()["name"])
    assert len(study.codes()) > 0
    columns = {"post_id": "post", "reply_id": "reply", "post_text": "asked", "reply_text": "said"}
    with worker():
        imported = study.wait(study.upload_pairs(PAIRS, corpus="Windowsill", **columns), progress=False)
        study.wait(study.draw_sample("Some", corpus="Windowsill", n=4, seed=3), progress=False)
    assert imported.state == "done"
    assert list(study.corpora()["name"]) == ["Windowsill"]
    assert study.samples()[["name", "n_items"]].to_dict("list") == {"name": ["Some"], "n_items": [4]}
    items = study.items("Some", texts=True)
    assert len(items) == 4 and items["reply_text"].isin(PAIRS["said"]).all()
    study.add_member("bea", "annotator")
    study.open_batch("Round 1", kind="main", annotators=["bea"], samples=["Some"])
    assert list(study.batches()["name"]) == ["Round 1"]
    assert study.judgments("Round 1").empty and study.spans().empty
    with pytest.raises(NotFound, match="Round 1” was not measured yet"):
        study.agreement("Round 1")
    gone = {"file": "taken-away.jsonl", "kind": "pairs", "post_text_column": "a", "reply_text_column": "b"}
    failing = JobRow.objects.create(
        kind="import_corpus",
        study=StudyRow.objects.get(slug=study.slug),
        arguments=gone,
        created_at=NOW,
        finished_at=NOW,
        state="failed",
        error="The file was deleted before it was read.",
    )
    with pytest.raises(JobFailed, match="The file was deleted before it was read") as failed:
        study.wait(failing.pk, progress=False)
    assert failed.value.job.state == "failed"


@pytest.mark.django_db(transaction=True)
def test_from_judgments_to_the_tables_of_a_report(
    cast: Cast, demo_corpus: Corpus, folders: None, attune: Attune, tmp_path: Path
) -> None:
    run = finished_run(cast, demo_corpus)
    measured_overlap(cast, "Twelve by two", disagreeing=3)
    made_report(cast)
    study = attune.study(cast.study.slug)

    judgments = study.judgments("Twelve by two")
    assert set(judgments["annotator"]) == {"amal", "bea"} and judgments["item_id"].nunique() == 12
    assert str(judgments["submitted_at"].dtype).endswith("UTC]")
    kappas = study.agreement("Twelve by two").query("measure == 'fleiss_kappa' and code != ''")
    assert kappas["value"].dropna().between(-1, 1).all() and len(kappas) > 0
    assert study.decisions().empty

    number = int(study.releases()["number"].iloc[0])
    release = study.release(number)
    assert release.verify() and release.number == number
    labels, split = release.labels(), release.split()
    assert len(release.items()) == split["item_id"].nunique() == labels["item_id"].nunique()
    assert "First, release 1" in release.data_card()
    parts = release.to_datasets()
    assert sum(len(part) for part in parts.values()) == len(release.items())
    assert (release.download(tmp_path / "release") / "manifest.json").exists()

    assert list(study.models()["number"]) == [run.adapter.number]
    assert study.model(run.adapter.number)["card"]["learner"] == "majority"
    assert len(study.predictions()) == len(study.predictions(run.number)) > 0
    report = study.report()
    assert list(study.reports()["number"]) == [report.number]
    assert len(report.table(report.tables()[0])) > 0
    assert "Cramér" in report.methods() or "labelled" in report.methods()
    assert report.download(tmp_path / "report.zip").stat().st_size > 1000
    with pytest.raises(KeyError, match="choose from"):
        report.table("nothing")

    with worker():
        frozen = study.wait(study.freeze_release("Again", consensus="majority"), progress=False)
    assert frozen.state == "done" and len(study.releases()) == 2


@pytest.mark.django_db(transaction=True)
def test_refusals_have_the_servers_words(cast: Cast, live_server: LiveServer, attune: Attune) -> None:
    study = attune.study("kind-words")
    assert attune.me()["username"] == "rosa"
    with pytest.raises(Refused, match=r"no adapter|in service"):
        study.label_corpus("A")
    with pytest.raises(Refused, match=r"^n: "):
        study.draw_sample("A", corpus="A", n=0)
    with pytest.raises(NotFound):
        attune.study("nobodys")
    with pytest.raises(NotFound, match="no report"):
        study.report()
    with pytest.raises(Refused, match="no column missing: it has post, reply, asked, said"):
        study.upload_pairs(PAIRS, corpus="A", post_text="missing", reply_text="said")
    with Attune(live_server.url, "attune_wrong") as stranger, pytest.raises(NotAllowed) as refused:
        stranger.studies()
    assert refused.value.status == 401
    with (
        Attune("http://127.0.0.1:9", "attune_x") as lost,
        pytest.raises(ServerUnreachable, match="is Attune running"),
    ):
        lost.me()


def test_tables_have_the_names_of_the_api() -> None:
    """What the client reads is in the description of the API, under the same name."""
    described = api.get_openapi_schema()
    schemas = described["components"]["schemas"]
    for of, columns in COLUMNS.items():
        path = "/api/v1/studies" if of == "studies" else f"/api/v1/studies/{{slug}}/{of}"
        answer = described["paths"][path]["get"]["responses"][200]["content"]["application/json"]["schema"]
        row = schemas[answer["items"]["$ref"].rpartition("/")[2]]
        assert set(columns) <= set(row["properties"]), of
    assert {field.name for field in fields(Job)} <= set(schemas["JobOut"]["properties"])


def test_every_call_is_described() -> None:
    """Paths in the client's sources, against those of the API."""
    known = [re.sub(r"\{\w+\}", "*", path) for path in api.get_openapi_schema()["paths"]]
    paths = _paths()
    assert len(paths) > 20 and "studies/*/batches" in paths, paths
    for path in paths:
        assert any(
            fnmatchcase(each, f"/api/v1/{path}") or fnmatchcase(f"/api/v1/{path}", each) for each in known
        ), path


def _paths() -> set[str]:
    """With a star for what is filled in; `{self._path}` begins with what its class sets it to."""
    found = set()
    for source in SOURCES:
        text = source.read_text()
        own = re.search(r'self\._path = .*f"([^"]+)"$', text, re.MULTILINE)
        for call in re.findall(CALL, text):
            path = call.replace("{self._path}", own[1] if own else "")
            found.add(re.sub(r"\{[^}]+\}", "*", path))
    return found


def test_the_client_needs_nothing_of_the_server() -> None:
    """It is installed by itself, on a machine that has no Attune."""
    allowed = {*sys.stdlib_module_names, "attune_client", "httpx", "pandas", "tqdm", "datasets"}
    for source in SOURCES:
        for node in ast.walk(ast.parse(source.read_text())):
            if isinstance(node, ast.Import):
                assert {alias.name.partition(".")[0] for alias in node.names} <= allowed, source.name
            elif isinstance(node, ast.ImportFrom):
                assert str(node.module).partition(".")[0] in allowed, source.name
