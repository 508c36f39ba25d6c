"""An annotator's home shows their own work in the order in which it is due, and betrays nothing."""

from __future__ import annotations

from datetime import date

from django.db import connection
from django.test.utils import CaptureQueriesContext

from backend.annotate.batches import services
from backend.annotate.batches.work import only_study, work_of
from backend.core.studies.models import StudyRole
from backend.core.studies.services import set_member
from tests.backend.annotate.batches.fixtures import (
    add_gold,
    add_sample,
    asked,
    opened,
    places,
    quarantine,
    submit,
)
from tests.cast import NOW, Cast

TODAY = date(2026, 3, 1)


def names(cast: Cast) -> list[str]:
    return [work.batch.name for work in work_of(cast.amal, cast.study, today=TODAY)]


def test_what_is_due_first_comes_first_and_what_is_over_last(ready: Cast) -> None:
    def due(name: str, day: int | None, kind: str = "overlap") -> None:
        batch = opened(ready, asked("overlap", n=1, name=name))
        if day:
            services.change_due_date(batch=batch, due_on=date(2026, 3, day), actor=ready.rosa, now=NOW)
        if kind == "done":
            submit(places(batch, ready.amal)[0])
        if kind == "paused":
            services.pause_batch(batch=batch, actor=ready.rosa, now=NOW)
        if kind == "closed":
            services.close_batch(batch=batch, actor=ready.rosa, now=NOW)
        if kind == "withdrawn":
            services.withdraw_annotator(batch=batch, annotator=ready.amal, actor=ready.rosa, now=NOW)

    due("closed", 2, "closed")
    due("withdrawn", 2, "withdrawn")
    due("some day", None)
    due("done", 3, "done")
    due("paused", 4, "paused")
    due("ninth", 9)
    due("fifth", 5)
    assert names(ready) == ["fifth", "ninth", "some day", "done", "paused", "closed", "withdrawn"]
    found = {work.batch.name: work for work in work_of(ready.amal, ready.study, today=TODAY)}
    assert [name for name, work in found.items() if work.can_work] == ["fifth", "ninth", "some day", "done"]
    assert [name for name, work in found.items() if not work.is_current] == ["closed", "withdrawn"]


def test_only_ones_own_work_is_shown(ready: Cast) -> None:
    batch = opened(ready, asked("main", n=2))
    submit(places(batch, ready.bea)[0])
    quarantine(places(batch, ready.chen)[0])
    (work,) = work_of(ready.amal, ready.study, today=TODAY)
    assert (work.counts.assigned, work.counts.done, work.is_started, work.to_mend) == (2, 0, False, ())


def test_only_practice_is_told_apart(ready: Cast) -> None:
    add_gold(ready, ready.study.editions.get(), 1)
    opened(ready, asked("practice", name="Warm-up"))
    main = opened(ready, asked("main", n=2, name="Batch 2"))
    submit(places(main, ready.amal)[0])
    opened(ready, asked("recheck", n=1, annotators=["amal"], name="Batch 3"))
    found = work_of(ready.amal, ready.study, today=TODAY)
    assert {work.batch.name: work.is_practice for work in found} == {
        "Warm-up": True,
        "Batch 2": False,
        "Batch 3": False,
    }


def test_what_can_be_mended_is_listed_with_the_reasons(ready: Cast) -> None:
    batch = opened(ready, asked("overlap", n=3))
    first, second, _ = places(batch, ready.amal)
    quarantine(second, message="Mark the words that show it.")
    quarantine(first, fixable=False, message="Made by another account.")
    (work,) = work_of(ready.amal, ready.study, today=TODAY)
    assert [(mend.place, mend.messages) for mend in work.to_mend] == [
        (second, ("Mark the words that show it.",))
    ]
    assert work.is_started


def test_what_one_did_is_listed_from_what_needs_care_to_what_is_to_do(ready: Cast) -> None:
    batch = opened(ready, asked("overlap", n=6))
    skipped, earlier, later, to_mend, kept, to_do = places(batch, ready.amal)
    submit(skipped, state="skipped")
    submit(earlier, days_ago=3)
    submit(later)
    quarantine(to_mend)
    quarantine(kept, fixable=False)
    (work,) = work_of(ready.amal, ready.study, today=TODAY)
    assert [(own.place, own.state.value) for own in work.own.items] == [
        (to_mend, "to mend"),
        (later, "submitted"),
        (earlier, "submitted"),
        (skipped, "skipped"),
        (kept, "kept back"),
        (to_do, "to do"),
    ]
    assert (work.own.total, work.own.unanswered, work.own.landing) == (6, 1, None)
    quarantine(to_do, fixable=False)
    (work,) = work_of(ready.amal, ready.study, today=TODAY)
    assert work.own.landing == to_mend


def test_a_long_list_is_cut_and_says_so(ready: Cast) -> None:
    add_sample(ready, "Second", range(100, 160))
    batch = opened(ready, asked("overlap", n=60, annotators=["amal"], samples=["Second"]))
    last = places(batch, ready.amal)[-1]
    submit(last)
    (work,) = work_of(ready.amal, ready.study, today=TODAY)
    assert (len(work.own.items), work.own.not_listed, work.own.items[0].place) == (50, 10, last)


def test_the_home_takes_as_many_queries_for_many_batches_as_for_one(ready: Cast) -> None:
    def look() -> int:
        with CaptureQueriesContext(connection) as seen:
            for work in work_of(ready.amal, ready.study, today=TODAY):
                assert work.batch.edition.number
                assert [own.place.item.title for own in work.own.items]
        return len(seen)

    opened(ready, asked("overlap", n=2))
    once = look()
    for number in (2, 3, 4):
        submit(places(opened(ready, asked("overlap", n=2, name=f"Batch {number}")), ready.amal)[0])
    assert look() == once


def test_the_only_study_is_known(cast: Cast) -> None:
    assert only_study(cast.amal) == cast.study
    set_member(study=cast.other_study, user=cast.amal, role=StudyRole.ANNOTATOR, actor=cast.otto, now=NOW)
    assert only_study(cast.amal) is None
