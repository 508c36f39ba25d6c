"""How a model came to be used is said in words, wherever its numbers stand."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client

from backend.decide.releases.facts import suggesting_models
from backend.decide.releases.models import Release
from backend.decide.releases.selectors import rows_of
from backend.learn.models.promotion import promotion_of
from backend.learn.models.services import promote
from tests.backend.learn.models.fixtures import examine, train
from tests.cast import NOW, Cast

pytestmark = pytest.mark.django_db
LATER = timedelta(days=1)
REASON = "To show what a model does."


def test_a_model_that_was_never_examined_is_not_said_to_have_passed(cast: Cast, release: Release) -> None:
    found = promotion_of(train(release))
    assert (found.has_passed, found.is_override) == (None, False)
    assert "never held against the promotion rule" in found.words


def test_an_override_is_named_with_its_reason_and_with_what_the_rule_found(
    cast: Cast, release: Release
) -> None:
    adapter = train(release)
    report = examine(adapter)
    assert not report.passed
    promote(
        adapter=adapter, report=None, override_reason=REASON, actor=cast.rosa, now=report.created_at + LATER
    )
    found = promotion_of(adapter)
    assert (found.has_passed, found.is_override) == (False, True)
    assert "put in service by hand, against the study's promotion rule" in found.words
    assert "Reason given: “To show what a model does”." in found.words
    assert "It did not pass the rule. It is better: no." in found.words
    before = promotion_of(adapter, until=report.created_at)
    assert not before.is_override and "was not in service: it did not pass" in before.words


def test_a_model_that_passed_is_said_to_have_passed(cast: Cast, release: Release) -> None:
    adapter = train(release, "tfidf-logistic")
    report = examine(adapter)
    assert report.passed and "not in service; it passed" in promotion_of(adapter).words
    promote(adapter=adapter, report=report, actor=cast.rosa, now=report.created_at + LATER)
    found = promotion_of(adapter)
    assert found.has_passed and not found.is_override and "passed the study's promotion rule" in found.words


def test_the_data_card_names_the_override_of_a_model_whose_suggestions_were_in_view(
    cast: Cast, release: Release
) -> None:
    adapter = train(release)
    promote(adapter=adapter, report=None, override_reason=REASON, actor=cast.rosa, now=NOW)
    rows = list(rows_of(release))
    assert suggesting_models(cast.study, rows) == ()
    seen = [replace(row, item=replace(row.item, suggested_by=(adapter.adapter_id,))) for row in rows[:2]]
    (said,) = suggesting_models(cast.study, [*seen, *rows[2:]])
    assert REASON.rstrip(".") in said and "never held against the rule" in said


def test_an_override_is_named_on_the_pages_and_in_the_files_with_the_model_s_numbers(
    cast: Cast, release: Release
) -> None:
    """The list, the model's own page and the leaderboard, as a page, as CSV and as LaTeX."""
    adapter = train(release)
    client, models = Client(), "/studies/kind-words/models"
    client.force_login(cast.rosa)
    board = f"{models}/leaderboards/{release.number}"
    places = (models, f"{models}/{adapter.number}", board, f"{board}/export.csv", f"{board}/export.tex")
    assert not any("by hand" in client.get(place).content.decode() for place in places)
    promote(adapter=adapter, report=None, override_reason=REASON, actor=cast.rosa, now=NOW)
    for place in places:
        told = " ".join(client.get(place).content.decode().split())
        assert "put in service by hand, against the study" in told and "Reason given" in told, place
    for place in places[:2]:
        told = " ".join(client.get(place).content.decode().split())
        assert '<span class="badge badge--warn">In service by override</span>' in told, place
        assert "badge--good" not in told and "callout--warn" in told, place
