"""Judgments leave with what they can be traced by, and without the texts."""

from __future__ import annotations

import json

import pytest
from django.core.management import call_command
from django.test import Client

from tests.backend.annotate.judgments.arriving import Workspace
from tests.batch_fixtures import CastAtWork


@pytest.fixture
def workspace(work: CastAtWork) -> Workspace:
    batch = work.batch(work.cast.amal, work.cast.bea, items=work.items[:3])
    workspace = Workspace(work, batch.assignments.get(annotator=work.cast.amal))
    workspace.receive(workspace.arrival(1, work.answers(work.items[0], "asking-advice", flag="Hm")))
    return workspace


def test_each_submission_is_a_line_that_names_its_version(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("export_judgments", "kind-words")
    (line,) = capsys.readouterr().out.splitlines()
    row = json.loads(line)
    assert (row["annotator"], row["item_id"], row["flagged"]) == ("amal", "item-00000", True)
    assert row["judgments"]["asking-advice"] == 1
    assert row["judgments"]["sharing-emotions"] == 0
    assert row["spans"] == [{"code": "asking-advice", "part": "post", "start": 0, "end": 12}]
    assert "lost at work" not in line
    client = Client()
    client.force_login(workspace.work.cast.rosa)
    answer = client.get(f"/api/v1/studies/kind-words/judgments?batch={workspace.share.batch_id}")
    assert b"".join(answer.streaming_content).decode().strip() == line  # type: ignore[attr-defined]
    version = client.get(f"/api/v1/studies/kind-words/judgments/versions/{row['version']}").json()
    assert json.loads(version["body"])["id"] == 1
    client.force_login(workspace.work.cast.amal)
    assert client.get("/api/v1/studies/kind-words/judgments").status_code == 403
