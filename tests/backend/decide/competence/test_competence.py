"""Competence is estimated by a job, shown by name to researchers, and to annotators their own where it is allowed."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from annotation.consensus.competence_values import Competence, Interval, Model
from backend.core.accounts.models import User
from backend.decide.competence.selectors import newest_estimate, votes_by_code
from backend.decide.competence.services import choose_visibility, estimating, keep_estimate, request_estimate
from backend.decide.competence.themes import ThemeCompetence
from tests.backend.decide.agreement.fixtures import HASTY, STEADY, judged_batch
from tests.batch_fixtures import CastAtWork
from tests.browser.conftest import run_waiting_jobs
from tests.cast import NOW

HERE = "/studies/kind-words/competence"
API = "/api/v1/studies/kind-words/competence"


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def estimated(work: CastAtWork) -> CastAtWork:
    values = dict.fromkeys(Model, Interval(0.81, 0.72, 0.9))
    rows = [
        Competence("amal", 40, values),
        Competence("bea", 12, {}, "12 of at least 30 items that others judged too"),
    ]
    keep_estimate(
        study=work.study,
        edition=work.edition,
        themes=[ThemeCompetence("asking-advice", "Asking for advice", 40, rows)],
        resamples=200,
        least=30,
        actor=work.cast.rosa,
        now=NOW,
    )
    return work


def test_a_job_estimates_what_the_answers_say(work: CastAtWork) -> None:
    people = {work.cast.amal: STEADY, work.cast.bea: STEADY, work.cast.chen: HASTY}
    judged_batch(work, work.items, people)
    votes, posts = votes_by_code(work.study, work.edition)
    assert {who for _, who, _ in votes["asking-advice"]} == {"amal", "bea", "chen"}
    assert posts[work.items[0].item_id] == "reddit:p0"
    job = request_estimate(study=work.study, actor=work.cast.rosa, now=NOW)
    assert request_estimate(study=work.study, actor=work.cast.rosa, now=NOW) == job
    run_waiting_jobs()
    assert estimating(work.study) is None
    found = browser(work.cast.rosa).get(API).json()
    theme = found["themes"][0]
    assert [row["annotator"] for row in theme["annotators"]] == ["amal", "bea", "chen"]
    assert theme["annotators"][0]["missing"] == "at least 3 annotators with 30 items in common with others"


def test_researchers_see_rows_by_name_and_what_is_missing(estimated: CastAtWork) -> None:
    shown = browser(estimated.cast.rosa).get(HERE).content.decode()
    assert shown.index(">amal<") < shown.index(">bea<")
    assert "0.81" in shown and "No figure: 12 of at least 30" in shown
    assert browser(estimated.cast.amal).get(HERE).status_code == 403
    assert browser(estimated.cast.amal).get(API).status_code == 403
    assert browser(estimated.cast.otto).get(f"{HERE}/own").status_code == 404


def test_annotators_see_their_own_only_once_it_is_allowed(estimated: CastAtWork) -> None:
    amal = browser(estimated.cast.amal)
    assert "0.81" not in amal.get(f"{HERE}/own").content.decode()
    assert "How you did" not in amal.get("/studies/kind-words/work").content.decode()
    browser(estimated.cast.rosa).post(f"{HERE}/visibility", {"annotators_see_own": "on"})
    shown = amal.get(f"{HERE}/own").content.decode()
    assert "0.81" in shown and "12 of at least" not in shown
    assert "How you did" in amal.get("/studies/kind-words/work").content.decode()
    assert "0.81" not in browser(estimated.cast.bea).get(f"{HERE}/own").content.decode()
    browser(estimated.cast.rosa).post(f"{HERE}/visibility")
    assert "0.81" not in amal.get(f"{HERE}/own").content.decode()


def test_it_starts_from_the_page_and_from_a_call(work: CastAtWork) -> None:
    rosa = browser(work.cast.rosa)
    assert rosa.get(API).status_code == 404
    assert "Nothing estimated yet" in rosa.get(HERE).content.decode()
    assert rosa.post(f"{HERE}/estimate").status_code == 302
    assert "Being estimated" in rosa.get(HERE).content.decode()
    waiting = estimating(work.study)
    assert waiting and rosa.post(f"{API}/estimate").json()["id"] == waiting.pk


def test_visibility_is_in_the_history(estimated: CastAtWork) -> None:
    choose_visibility(study=estimated.study, annotators_see_own=True, actor=estimated.cast.rosa, now=NOW)
    assert estimated.study.events.filter(summary__contains="can see how they did").exists()
    assert newest_estimate(estimated.study)


def test_the_command_reads_any_long_table(tmp_path: Path) -> None:
    lines = ["item,annotator,label"]
    for item in range(40):
        lines += [f"{item},{who},{'yes' if item % 2 else 'no'}" for who in ("Ada", "Ben", "Cleo")]
    file = tmp_path / "votes.csv"
    file.write_text("\n".join([*lines, "1,Dee,no"]))
    out = StringIO()
    call_command("competence", file, "--format", "json", "--resamples", "20", stdout=out)
    rows = json.loads(out.getvalue())["annotators"]
    assert [row["annotator"] for row in rows] == ["Ada", "Ben", "Cleo", "Dee"]
    assert rows[0]["values"]["dawid-skene"]["value"] > 0.98
    assert rows[3]["missing"].startswith("1 of at least 30")
    out = StringIO()
    call_command("competence", file, "--resamples", "20", stdout=out)
    assert "no figure: 1 of at least 30" in out.getvalue()
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("competence", tmp_path / "none.csv")
