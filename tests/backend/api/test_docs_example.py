"""The notebook of docs/api.md runs against a live server, with a worker at work."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from threading import Event

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

from backend.core.accounts.services import create_token
from backend.core.jobs.models import Job, JobState
from backend.core.jobs.runner import run_job
from backend.core.studies.services import create_study
from backend.design.codebooks.services import add_edition
from backend.design.corpora.models import Corpus
from codebook.shipped import shipped_path
from tests.cast import NOW, Cast

DOCS = Path(__file__).resolve().parents[3] / "docs/api.md"


def work(stop: Event) -> None:
    while not stop.wait(0.1):
        for job in Job.objects.filter(state=JobState.QUEUED):
            run_job(job_id=job.pk, clock=timezone.now)
    connection.close()


@pytest.mark.django_db(transaction=True)
def test_the_notebook_of_the_docs(
    cast: Cast, demo_corpus: Corpus, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_study(name="Another one, with nothing in it", description="", created_by=cast.rosa, now=NOW)
    source = shipped_path("epitome").read_text()
    add_edition(study=cast.study, source=source, file_name="e.yaml", note="First", actor=cast.rosa, now=NOW)
    _, token = create_token(user=cast.rosa, name="docs", now=NOW)
    monkeypatch.setenv("NOTEBOOK_TOKEN", token)
    found = re.search(r"^```python\n(.*?)^```$", DOCS.read_text(), re.MULTILINE | re.DOTALL)
    assert found is not None
    code = (
        found[1]
        .replace("http://127.0.0.1:8000", live_server.url)
        .replace("six-communities", demo_corpus.slug)
        .replace("empathy-in-everyday-advice", cast.study.slug)
    )
    printed, stop = StringIO(), Event()
    with ThreadPoolExecutor(max_workers=1) as pool:
        worker = pool.submit(work, stop)
        try:
            with redirect_stdout(printed):
                exec(compile(code, "api.md", "exec"), {})
        finally:
            stop.set()
        worker.result()
    assert printed.getvalue().splitlines()[0] == "Rosa"
    assert "done" in printed.getvalue()
    assert cast.study.samples.get().n_items == 10
    with (
        pytest.raises(SystemExit, match=r"^422: This study has no corpus “nowhere”\.$"),
        redirect_stdout(StringIO()),
    ):
        exec(compile(code.replace(f'"{demo_corpus.slug}"', '"nowhere"'), "api.md", "exec"), {})
