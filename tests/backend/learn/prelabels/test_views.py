"""Researchers see what is suggested and what it does; annotators are told nothing of it."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from lxml import html

from backend.annotate.batches.models import BatchKind
from backend.annotate.batches.services import open_batch
from backend.core.accounts.models import User
from backend.core.accounts.services import create_token
from backend.learn.prelabels.models import ConditionAssignment, PrelabelChoice
from backend.learn.prelabels.selectors import choice_of
from learning.prelabel_experiment.values import Condition
from tests.backend.annotate.batches.fixtures import add_codebook, add_sample, asked
from tests.backend.learn.prelabels.answer_fixtures import judge_all
from tests.backend.learn.prelabels.fixtures import Bench
from tests.cast import NOW, Cast

pytestmark = [pytest.mark.django_db, pytest.mark.database]
HERE = "/studies/kind-words/prelabels"
CALLS = "/api/v1/studies/kind-words/prelabels"


def _client(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def _words(client: Client, address: str = HERE) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    page: Any = html.fromstring(answer.content)
    return " ".join(page.xpath("//main")[0].text_content().split())


def test_a_study_without_a_model_is_told_what_is_missing(cast: Cast) -> None:
    page = _words(_client(cast.rosa))
    for said in ("No adapter is in service", "No batch to suggest in", "Nothing to compare yet"):
        assert said in page


def test_the_page_says_what_is_suggested_where_and_what_it_does(bench: Bench) -> None:
    batch = bench.batch()
    bench.promote(bench.first)
    bench.push(batch)
    bench.later(minutes=5)
    judge_all(bench, batch, pull=0.5)
    page = _words(_client(bench.cast.rosa))
    assert "“tfidf-logistic”, adapter 1, suggests" in page
    shown = sum(
        bench.conditions(batch)[item.item_id] is Condition.SUGGESTED and bool(item.reply_id)
        for item in bench.items
    )
    assert f"{shown} ({shown / 20:.0%})" in page
    assert "Too little to tell." in page and "Theme by theme" in page
    detail = _words(_client(bench.cast.rosa), f"/studies/kind-words/batches/{batch.pk}")
    assert f"{shown} of 20 items with a suggestion" in detail


def test_the_page_and_the_call_decode_the_answers_once(bench: Bench) -> None:
    batch, rosa = bench.batch(), _client(bench.cast.rosa)
    bench.promote(bench.first)
    bench.push(batch)
    bench.later(minutes=5)
    judge_all(bench, batch, pull=0.5)
    first = _words(rosa)
    with CaptureQueriesContext(connection) as asked:
        assert _words(rosa) == first
        assert rosa.get(f"{CALLS}/comparison").json()["verdict"] == "too few"
    assert not [one for one in asked if '"body"' in one["sql"]]


def test_an_edition_that_does_not_fit_is_said_on_the_page(bench: Bench) -> None:
    bench.batch()
    page = _words(_client(bench.cast.rosa))
    assert "No adapter is in service: promote one first." in page


def test_settings_are_changed_and_wrong_ones_refused(bench: Bench) -> None:
    rosa = _client(bench.cast.rosa)
    sound = {"is_on": "on", "blind_percent": "35", "kinds": ["overlap"]}
    assert rosa.post(f"{HERE}/settings", sound).status_code == 302
    assert choice_of(bench.study) == PrelabelChoice(True, 0.35, (BatchKind.OVERLAP,))
    for wrong in ({"blind_percent": "101"}, {"kinds": ["practice"]}, {"blind_percent": ""}):
        assert rosa.post(f"{HERE}/settings", {**sound, **wrong}).status_code == 400
    assert rosa.post(f"{HERE}/settings", {"blind_percent": "20"}).status_code == 302
    assert choice_of(bench.study) == PrelabelChoice(False, 0.2, ())


def test_a_push_is_asked_for_and_refused_with_the_reason(bench: Bench) -> None:
    batch, rosa = bench.batch(), _client(bench.cast.rosa)
    refused = rosa.post(f"{HERE}/batches/{batch.pk}/push", follow=True)
    assert "promote one first" in refused.content.decode()
    bench.promote(bench.first)
    asked_for = rosa.post(f"{HERE}/batches/{batch.pk}/push")
    assert "/jobs/" in asked_for["Location"]
    assert bench.pushes() == 1


def test_annotators_find_no_trace(bench: Bench) -> None:
    batch = bench.batch()
    bench.promote(bench.first)
    bench.push(batch)
    amal, otto = _client(bench.cast.amal), _client(bench.cast.otto)
    assert (amal.get(HERE).status_code, otto.get(HERE).status_code) == (403, 404)
    for address in ("/studies/kind-words/work", "/studies/kind-words/codebook"):
        page = amal.get(address).content.decode()
        assert "blind" not in page.lower() and "suggest" not in page.lower()


def test_the_api_reads_and_sets_the_same(bench: Bench) -> None:
    _, token = create_token(user=bench.cast.rosa, name="test", now=NOW)
    notebook = Client(headers={"Authorization": f"Bearer {token}"})
    batch = bench.batch()
    assert notebook.get(f"{CALLS}/comparison").json() is None
    refused = notebook.post(f"{CALLS}/batches/{batch.pk}/push")
    assert (refused.status_code, refused.json()["error"]) == (422, "NothingToPush")
    bench.promote(bench.first)
    assert notebook.post(f"{CALLS}/batches/{batch.pk}/push").status_code == 202
    bench.push(batch)
    read = notebook.get(CALLS).json()
    assert (read["adapter"], read["settings"]["blind_share"]) == (1, 0.2)
    assert (read["batches"][0]["items"], read["batches"][0]["blind"]) == (20, 4)
    assert read["batches"][0]["adapters"] == [1]
    conditions = notebook.get(f"{CALLS}/comparison").json()
    assert conditions["verdict"] == "too few" and len(conditions["prevalence"]) == 3
    body = {"is_on": False, "blind_share": 0.5, "kinds": ["main"]}
    changed = notebook.put(f"{CALLS}/settings", json.dumps(body), content_type="application/json")
    assert changed.json() == body
    wrong = {**body, "kinds": ["recheck"]}
    refused = notebook.put(f"{CALLS}/settings", json.dumps(wrong), content_type="application/json")
    assert (refused.status_code, "by themselves" in refused.json()["detail"]) == (422, True)


def test_the_commands_print_and_push(bench: Bench) -> None:
    batch = bench.batch()
    with pytest.raises(CommandError, match="promote one first"):
        call_command("push_prelabels", "kind-words", batch=batch.name)
    bench.promote(bench.first)
    out = StringIO()
    call_command("push_prelabels", "kind-words", stdout=out)
    assert "brings the suggestions up to date" in out.getvalue()
    bench.push(batch)
    out = StringIO()
    call_command("prelabels_status", "kind-words", stdout=out)
    assert "In service: adapter 1, “tfidf-logistic”" in out.getvalue()
    assert "items with a suggestion, 4 blind." in out.getvalue()
    for command in ("prelabels_status", "push_prelabels"):
        with pytest.raises(CommandError, match="no study"):
            call_command(command, "nowhere")


def test_opening_a_batch_seals_its_conditions_at_once(cast: Cast) -> None:
    add_codebook(cast)
    add_sample(cast, "Main", range(20))
    main = open_batch(study=cast.study, request=asked("main", n=4), actor=cast.rosa, now=NOW)
    sealed = ConditionAssignment.objects.filter(batch=main)
    assert sealed.count() == 12
    assert set(sealed.values_list("condition", flat=True)) == {"blind", "suggested"}
    other = asked("overlap", n=4).model_copy(update={"name": "Other"})
    overlap = open_batch(study=cast.study, request=other, actor=cast.rosa, now=NOW)
    assert not ConditionAssignment.objects.filter(batch=overlap).exists()
