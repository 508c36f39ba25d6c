"""The commands about a study's adapters."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from backend.core.jobs.models import Job
from backend.decide.releases.models import Release
from backend.learn.models.selectors import adapter_in_service
from backend.learn.models.services import promote
from tests.backend.learn.models.fixtures import examine, train
from tests.cast import NOW

pytestmark = pytest.mark.django_db


def test_trainings_are_asked_for_one_or_many(release: Release, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("train_study", "kind-words", "1", "--learner", "tfidf-logistic", "--option", "strength=2")
    assert Job.objects.get().arguments["request"]["options"] == {"strength": 2}
    call_command("train_study", "kind-words", "1", "--learning-rate", "0.001", "--seed", "1", "--seed", "2")
    assert Job.objects.count() == 3
    assert capsys.readouterr().out.count("trains it") == 3
    for problem, arguments in (
        ("no study", ["nowhere", "1"]),
        ("no release 7", ["kind-words", "7"]),
        ("choose from", ["kind-words", "1", "--learner", "dreams"]),
        ("no adapter 9", ["kind-words", "1", "--from", "9"]),
        ("NAME=VALUE", ["kind-words", "1", "--option", "strength"]),
    ):
        with pytest.raises(CommandError, match=problem):
            call_command("train_study", *arguments)


def test_adapters_are_listed_put_in_service_and_taken_back(
    release: Release, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("adapters", "kind-words")
    assert "train one" in capsys.readouterr().out
    first, second = train(release, "tfidf-logistic"), train(release, "random")
    examine(first)
    call_command("promote_adapter", "kind-words", "1")
    call_command("promote_adapter", "kind-words", "2", "--reason", "To see")
    assert adapter_in_service(release.study) == second
    call_command("promote_adapter", "kind-words", "--back")
    assert adapter_in_service(release.study) == first
    call_command("adapters", "kind-words")
    said = capsys.readouterr().out
    assert "In service" in said and "promotion: passes" in said and "promotion: not asked" in said
    with pytest.raises(CommandError, match="or give --back"):
        call_command("promote_adapter", "kind-words")
    with pytest.raises(CommandError, match="Nothing was in service before"):
        call_command("promote_adapter", "kind-words", "--back")


def test_the_verdict_of_the_gate_is_printed(release: Release, capsys: pytest.CaptureFixture[str]) -> None:
    adapter = train(release, "tfidf-logistic")
    examine(adapter)
    with pytest.raises(CommandError, match="It goes on"):
        call_command("examine_adapter", "kind-words", "1", "--wait", "0")
    promote(adapter=adapter, report=None, override_reason="So", actor=None, now=NOW)
    assert capsys.readouterr().out == ""


def test_a_leaderboard_is_printed(release: Release, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CommandError, match="train one first"):
        call_command("leaderboard", "kind-words", "1")
    train(release, "majority")
    call_command("leaderboard", "kind-words", "1", "--format", "tex", "--part", "validation")
    assert r"\begin{tabular}" in capsys.readouterr().out
