"""Researchers see all annotators of a practice batch side by side."""

from __future__ import annotations

from backend.annotate.practice.results import batch_results
from tests.backend.annotate.practice.fixtures import Practice, with_value


def test_codes_are_counted_by_annotator_and_over_all(practice: Practice) -> None:
    practice.submit(practice.amal, 0, with_value(practice.gold(0), "sharing-emotions", 0))
    practice.submit(practice.amal, 1, practice.gold(1))
    results = batch_results(practice.batch)
    assert [report.progress_note for report in results.reports] == ["2 of 3", "0 of 3"]
    assert results.has_any
    row = next(row for row in results.codes if row.code.id == "sharing-emotions")
    assert [hits and (hits.matched, hits.items) for hits in row.hits] == [(1, 2), None]
    assert (row.matched, row.items, row.share) == (1, 2, 0.5)


def test_without_submissions_there_is_no_share(practice: Practice) -> None:
    results = batch_results(practice.batch)
    assert not results.has_any
    assert {row.share for row in results.codes} == {None}
