"""The menu: six stages, the one where somebody is open, and what each page still needs."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from lxml.html import HtmlElement, fromstring
from pytest_django.fixtures import Settings

from backend.design.corpora.models import Corpus
from backend.learn.models.services import promote
from backend.overview.navigation import NEEDS, RESEARCHER_STAGES, _missing
from tests.backend.core.studies.test_access import client_of
from tests.backend.publish.reports.fixtures import finished_run
from tests.cast import NOW, Cast

pytestmark = [pytest.mark.django_db, pytest.mark.database]
STAGES = ["Design", "Annotate", "Decide", "Learn", "Publish", "Operate"]


def menu(client: Client, address: str) -> HtmlElement:
    found = fromstring(client.get(address).content).find(".//nav[@id='sidenav']")
    assert found is not None
    return found


def words(node: HtmlElement) -> str:
    return " ".join(node.text_content().split())


@pytest.mark.parametrize(
    ("page", "stage"),
    [("corpora", "Design"), ("batches", "Annotate"), ("models", "Learn"), ("members", "Operate")],
)
def test_the_stage_where_one_is_stands_open(cast: Cast, page: str, stage: str) -> None:
    found = menu(client_of(cast.rosa), f"/studies/kind-words/{page}")
    assert [words(each) for each in found.iterfind(".//summary")] == STAGES
    assert [words(each.find("summary")) for each in found.iterfind(".//details[@open]")] == [stage]
    assert words(found.find(".//a[@aria-current]")).startswith(page.capitalize())


def test_an_empty_study_says_what_each_page_needs(cast: Cast) -> None:
    found = menu(client_of(cast.rosa), "/studies/kind-words")
    later = {words(each.find("span")) for each in found.iterfind(".//a[@class='sidenav__later']")}
    assert {"Samples needs a corpus", "Models needs a release", "Reports needs a labelled corpus"} <= later
    assert len(later) == len(NEEDS)


def test_nothing_is_needed_any_more_where_it_is_there(
    cast: Cast, demo_corpus: Corpus, tmp_path: Path, settings: Settings
) -> None:
    for name in ("RELEASES", "ADAPTERS", "LABELLED", "ML"):
        setattr(settings, f"{name}_DIR", tmp_path / name.lower())
    settings.ML_PATIENCE = timedelta(0)
    adapter = finished_run(cast, demo_corpus).adapter
    promote(adapter=adapter, report=None, override_reason="Tests", actor=cast.rosa, now=NOW)
    assert not menu(client_of(cast.rosa), "/studies/kind-words").findall(".//a[@class='sidenav__later']")


def test_what_is_missing_takes_one_query(cast: Cast) -> None:
    with CaptureQueriesContext(connection) as asked:
        assert _missing(cast.study) == set(NEEDS.values())
    assert len(asked) == 1


def test_every_need_is_of_a_page_in_the_menu() -> None:
    assert set(NEEDS) <= {name for pages in RESEARCHER_STAGES.values() for _, name, _ in pages}
