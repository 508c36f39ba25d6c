"""A report is kept as JSON, from which pages and files are made."""

from datetime import UTC, datetime

import msgspec
import pytest

from analysis.report.build import build_report
from analysis.report.content import ReportOptions, ReportUnreadable, decode_report, encode_report
from analysis.report.facts import ReportFacts
from tests.analysis.report.given_report import BARE_FACTS, FACTS, given_report


def test_a_report_comes_back_from_json_as_it_was() -> None:
    options = ReportOptions(joined=(datetime(2020, 1, 1, tzinfo=UTC), datetime(2021, 1, 1, tzinfo=UTC)))
    report = build_report(given_report(), options)
    assert report.tables and report.charts
    assert decode_report(encode_report(report)) == report


@pytest.mark.parametrize("facts", (FACTS, BARE_FACTS))
def test_facts_come_back_from_json_as_they_were(facts: ReportFacts) -> None:
    assert msgspec.json.decode(msgspec.json.encode(facts), type=ReportFacts) == facts


def test_what_is_no_report_is_refused() -> None:
    with pytest.raises(ReportUnreadable, match="make it again"):
        decode_report(b"{}")


def test_no_figure_may_be_without_a_panel() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"most_panels": 0}', type=ReportOptions)
