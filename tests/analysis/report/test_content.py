"""A report is kept as JSON, from which pages and files are made."""

import subprocess
import sys
from datetime import UTC, datetime

import msgspec
import pytest

from analysis.report.build import build_report
from analysis.report.content import ReportOptions, ReportUnreadable, decode_report, encode_report
from analysis.report.facts import ReportFacts
from tests.analysis.report.report_fixtures import BARE_FACTS, FACTS, given_report


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


def test_tables_come_as_data_frames_with_their_numbers_and_as_they_are_printed() -> None:
    report = build_report(
        given_report(n_posts=300, n_gold=100), ReportOptions(sections=("overall", "replies"))
    )
    frames = report.to_pandas()
    assert set(frames) == {table.name for table in report.tables}
    table, frame = report.tables[0], frames["shares"]
    assert len(frame) == len(table.findings)
    assert frame["name"][0] == "Sharing emotions"
    assert frame["estimate"][0] == table.findings[0].estimate.value
    printed = table.to_pandas()
    assert printed.shape == (len(table.rows), len(table.columns))
    assert (
        printed.loc[("Posts: Self-disclosure", "Sharing emotions"), ("Naive", "%")]
        == table.rows[0].cells[0].text
    )


def test_reading_a_report_loads_no_pandas() -> None:
    asked = "import sys; import analysis.report.content; print('pandas' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
