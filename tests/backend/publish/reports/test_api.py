"""Reports from a notebook and from a terminal."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from backend.core.jobs.runner import run_job
from backend.publish.labelling.models import LabellingRun
from backend.publish.reports.models import Report
from tests.backend.publish.reports.fixtures import TOPICS
from tests.cast import Cast

pytestmark = pytest.mark.django_db
HERE = "/api/v1/studies/kind-words/reports"


def test_a_report_is_made_read_checked_and_fetched(run: LabellingRun, cast: Cast) -> None:
    client = Client()
    client.force_login(cast.rosa)
    body = {"run": 1, "release": 1, "topics": TOPICS, "sections": ["overall"]}
    asked = client.post(HERE, body, content_type="application/json")
    assert asked.status_code == 202
    run_job(job_id=asked.json()["id"], clock=timezone.now)
    (listed,) = client.get(HERE).json()
    assert (listed["number"], listed["run"]) == (1, 1)
    whole = client.get(f"{HERE}/1").json()
    assert whole["problems"] == [] and "tables/shares.csv" in whole["files"]
    assert whole["inputs"]["labels"] == run.output_hash
    assert client.get(f"{HERE}/1/files/tables/shares.csv").status_code == 200
    assert client.get(f"{HERE}/1/files/nothing.csv").status_code == 404
    assert b"".join(client.get(f"{HERE}/1/report.zip").streaming_content)[:2] == b"PK"  # type: ignore[attr-defined]
    again = client.post(f"{HERE}/1/check")
    run_job(job_id=again.json()["id"], clock=timezone.now)
    assert [check["is_same"] for check in client.get(f"{HERE}/1").json()["checks"]] == [True]
    refused = client.post(HERE, {**body, "topics": {"x": "y"}}, content_type="application/json")
    assert (refused.status_code, refused.json()["error"]) == (422, "UnknownTopics")
    client.force_login(cast.amal)
    assert client.get(HERE).status_code == 403


def test_the_command_makes_one_and_makes_it_again(run: LabellingRun, cast: Cast) -> None:
    said = StringIO()
    topics = [f"--topic={name}={topic}" for name, topic in TOPICS.items()]
    asked = ("--release", "1", "--section", "overall", "--again", *topics)
    call_command("make_report", "kind-words", *asked, stdout=said, stderr=StringIO())
    report = Report.objects.get()
    lines = said.getvalue().splitlines()
    assert lines == [f"Report 1: {report.manifest_hash}", str(report.folder), "Made again: the same bytes."]


def test_the_command_says_what_to_do(run: LabellingRun, cast: Cast) -> None:
    for asked, said in (
        (("nowhere",), "no study"),
        (("elsewhere",), "label a corpus first"),
        (("kind-words", "--run", "7"), "no labelling run 7"),
        (("kind-words", "--topic", "x"), "COMMUNITY=TOPIC"),
        (("kind-words", "--release", "7"), "no release 7"),
        (("kind-words", "--lexicon", "no-such.csv"), "no-such.csv cannot be read"),
    ):
        with pytest.raises(CommandError, match=said):
            call_command("make_report", *asked, stdout=StringIO(), stderr=StringIO())
