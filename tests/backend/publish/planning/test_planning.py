"""The planner's page, calls and commands."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from backend.publish.labelling.models import LabellingRun
from tests.backend.publish.reports.fixtures import made_report
from tests.cast import Cast

HERE, CALL = "/studies/kind-words/gold-planner", "/api/v1/studies/kind-words/gold-plan"


def printed(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def client_of(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.rosa)
    return client


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return " ".join(answer.content.decode().split())


def test_agreement_is_planned_without_a_study() -> None:
    found = json.loads(printed("plan_agreement", "--kappa", "0.85", "--null", "0.7", "--format", "json"))
    assert (found["n_items_to_tell"], found["n_items_the_other_way"]) == (117, 96)
    said = printed("plan_agreement", "--kappa", "0.7", "--null", "0.85", "--width", "0.2")
    assert "96 items to show that kappa is below 0.85" in said and "196 items for an interval" in said
    with pytest.raises(CommandError, match="differ"):
        printed("plan_agreement", "--kappa", "0.7", "--null", "0.7")


def test_gold_is_planned_before_anything_is_labelled() -> None:
    asked = ("plan_gold", "--share", "0.1", "--recall", "0.9", "--false-positives", "0.02", "--width", "0.04")
    found = json.loads(printed(*asked, "--format", "json"))
    widths = {point["n_gold"]: point["width"] for point in found["curve"]}
    assert widths[100] > 0.04 > widths[1_000]
    assert 100 < found["n_gold_for_width"] < 1_000
    assert f"{found['n_gold_for_width']:,} gold labels" in printed(*asked)
    with pytest.raises(CommandError, match="between 0 and 1"):
        printed("plan_gold", "--share", "10")
    with pytest.raises(CommandError, match="Name a study"):
        printed("plan_gold")


@pytest.mark.django_db
def test_the_page_plans_from_what_is_assumed_and_says_what_is_missing(cast: Cast) -> None:
    rosa = client_of(cast)
    assert "No corrected report yet" in text(rosa, HERE)
    assumed = "share=10&n_items=100000&recall=90&false_positives=2&width=4"
    assert "gold labels</strong> are expected to be enough" in text(rosa, f"{HERE}?{assumed}")
    agreement = "kappa=0.85&null=0.7&code_share=50&raters=2&kappa_width=0.2"
    assert "117 items to show that kappa is above 0.7" in text(rosa, f"{HERE}?{agreement}")
    same = "kappa=0.7&null=0.7&code_share=50&raters=2&kappa_width=0.2"
    assert "give two that differ" in text(rosa, f"{HERE}?{same}")
    assert rosa.get(CALL).status_code == 404
    answer = rosa.get(f"{CALL}/agreement?kappa=0.85&null=0.7").json()
    assert answer["n_items_to_tell"] == 117


@pytest.mark.django_db
def test_a_report_without_enough_gold_is_no_plan(cast: Cast, run: LabellingRun) -> None:
    """The model has learned from most of its gold, so that no interval is given."""
    made_report(cast)
    rosa = client_of(cast)
    assert "No corrected report yet" in text(rosa, HERE)
    assert rosa.get(CALL).json() == {"report": 1, "tables": {}}
    assert printed("plan_gold", "kind-words", "--format", "json").strip() == "{}"
