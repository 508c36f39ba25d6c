"""A notebook has batches measured, reads the reports and sets the rule."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from annotation.agreement.reports import BatchAgreement
from backend.annotate.batches.models import Batch
from backend.core.accounts.models import User
from backend.core.accounts.services import create_token
from backend.core.jobs.models import Job
from backend.core.jobs.runner import run_job
from backend.decide.agreement.reading import read_report
from tests.backend.decide.agreement.conftest import Measuring, work_as_ml_backend
from tests.backend.decide.agreement.fixtures import STEADY, judged_batch
from tests.batch_fixtures import CastAtWork
from tests.cast import NOW

HERE = "/api/v1/studies/kind-words/agreement"


class Notebook:
    def __init__(self, user: User) -> None:
        _, token = create_token(user=user, name="test", now=NOW)
        self.client = Client(headers={"Authorization": f"Bearer {token}"})

    def call(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        sent = json.dumps(body) if body is not None else ""
        answer = self.client.generic(method, f"{HERE}{path}", sent, content_type="application/json")
        return answer.status_code, json.loads(answer.content)


@pytest.fixture
def rosa(work: CastAtWork) -> Notebook:
    return Notebook(work.cast.rosa)


def test_a_batch_is_measured_and_read(overlap: Batch, rosa: Notebook) -> None:
    status, job = rosa.call("POST", f"/batches/{overlap.pk}/measure", {"resamples": 200, "seed": 7})
    assert (status, job["state"]) == (202, "queued")
    row = Job.objects.get(pk=job["id"])
    run_job(job_id=row.pk, clock=timezone.now)
    work_as_ml_backend(row)
    run_job(job_id=row.pk, clock=timezone.now)
    status, (listed,) = rosa.call("GET", f"/reports?batch={overlap.pk}")
    assert (status, listed["resamples"], listed["seed"]) == (200, 200, 7)
    assert (listed["requested_by"], listed["is_partial"], listed["kind"]) == ("rosa", False, "agreement")
    status, report = rosa.call("GET", f"/reports/{listed['id']}")
    assert status == 200
    assert report["measures"]["n_items"] == 12
    assert len(report["verdicts"]) == 13
    trusted = sum(verdict["decision"] == "trusted" for verdict in report["verdicts"])
    assert report["headline"].startswith(f"{trusted} of 13 themes can be trusted")


def test_items_behind_a_theme(overlap: Batch, measured: Measuring, rosa: Notebook) -> None:
    report = measured(overlap)
    agreement = read_report(report)
    assert isinstance(agreement, BatchAgreement)
    code = max(agreement.codes, key=lambda each: len(each.disagreed))
    status, items = rosa.call("GET", f"/reports/{report.pk}/themes/{code.code_id}")
    assert status == 200
    assert [item["item"] for item in items] == list(code.disagreed)
    assert all(set(item["answers"].values()) == {"yes", "no"} for item in items)


def test_tables(overlap: Batch, measured: Measuring, rosa: Notebook) -> None:
    report = measured(overlap)
    answer = rosa.client.get(f"{HERE}/reports/{report.pk}/tables/csv")
    assert answer.content.decode().startswith("part,code,name,measure,rater,other,value,low,high")
    assert rosa.client.get(f"{HERE}/reports/{report.pk}/tables/doc").status_code == 404


def test_rounds(work: CastAtWork, measured: Measuring, rosa: Notebook) -> None:
    people = {work.cast.amal: STEADY, work.cast.bea: STEADY}
    reports = [
        measured(judged_batch(work, items, people, name=name, seed=seed))
        for seed, (name, items) in enumerate((("One", work.items[:6]), ("Two", work.items[6:])), 1)
    ]
    status, rounds = rosa.call("GET", "/rounds")
    assert (status, rounds["reports"]) == (200, [report.pk for report in reports])
    assert len(rounds["themes"]) == 13
    assert {len(theme["estimates"]) for theme in rounds["themes"]} == {2}


def test_the_rule(rosa: Notebook) -> None:
    default = {"measure": "fleiss_kappa", "bound": "low", "at_least": 0.61}
    assert rosa.call("GET", "/rule") == (200, default)
    wish = {"measure": "gwet_ac1", "bound": "value", "at_least": 0.8}
    assert rosa.call("PUT", "/rule", wish) == (200, wish)
    assert rosa.call("GET", "/rule") == (200, wish)
    assert rosa.call("PUT", "/rule", wish | {"at_least": 1.5})[0] == 422


def test_what_cannot_be_measured_is_refused_by_name(work: CastAtWork, rosa: Notebook) -> None:
    batch = work.batch(work.cast.amal, work.cast.bea, items=work.items)
    status, refused = rosa.call("POST", f"/batches/{batch.pk}/measure", {})
    assert (status, refused["error"]) == (422, "NothingToMeasure")


def test_annotators_are_refused(overlap: Batch, work: CastAtWork) -> None:
    amal = Notebook(work.cast.amal)
    assert {amal.call("GET", path)[0] for path in ("/reports", "/rule", "/rounds")} == {403}
    assert amal.call("POST", f"/batches/{overlap.pk}/measure", {})[0] == 403
