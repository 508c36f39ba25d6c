"""The list of studies begins with what waits for whoever looks, in all of their studies."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from backend.annotate.batches.models import BatchKind
from backend.core.accounts.models import User
from backend.overview.waiting import waiting_for_person
from tests.backend.decide.adjudication.conftest import bench
from tests.backend.decide.adjudication.fixtures import Bench
from tests.backend.decide.adjudication.test_views import client_of
from tests.page_text import page_text

__all__ = ["bench"]


def words(user: User) -> list[str]:
    return [each.words for each in waiting_for_person(user)]


def test_annotators_see_what_is_left_to_judge(bench: Bench) -> None:
    amal = bench.cast.amal
    assert words(amal) == ["6 items to judge in Batch 1"]
    for item in bench.items[1:]:
        bench.hand_in(amal, item, bench.answer(item))
    assert words(amal) == ["1 item to judge in Batch 1"]
    bench.hand_in(amal, bench.items[0], bench.answer(bench.items[0]))
    assert words(amal) == []


def test_researchers_see_what_is_to_be_settled(bench: Bench) -> None:
    assert words(bench.cast.rosa) == []
    bench.disagree(bench.items[0])
    assert words(bench.cast.rosa) == ["1 item to adjudicate"]
    page = page_text(client_of(bench.cast.rosa).get("/"))
    assert "Waiting for you" in page and "1 item to adjudicate" in page


def test_nothing_waits_for_outsiders_and_admins_without_a_study(bench: Bench) -> None:
    bench.disagree(bench.items[0])
    assert words(bench.cast.otto) == [] and words(bench.cast.ada) == []
    assert "Waiting for you" not in page_text(client_of(bench.cast.ada).get("/"))


def test_what_is_late_comes_first(bench: Bench) -> None:
    bench.again(bench.cast.amal, bench.items[5], kind=BatchKind.OVERLAP, name="Another")
    late = timezone.localdate() - timedelta(days=2)
    type(bench.batch).objects.filter(name="Batch 1").update(due_on=late)
    found = waiting_for_person(bench.cast.amal)
    assert [each.is_late for each in found] == [True, False]
    assert found[0].note == f"due {late.day} {late:%B}"
