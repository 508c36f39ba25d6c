"""Writes a report of an invented corpus into a folder, as a process of its own."""

import sys
from functools import cache
from pathlib import Path

import msgspec

from analysis.report.content import Report
from analysis.report.files import write_report
from tests.analysis.report.report_fixtures import built_report

# One for each kind of chart: drawing all of them takes a minute.
_DRAWN = ("overall", "post-to-reply", "over-time")


@cache
def small_report() -> Report:
    """With every table, and few figures."""
    report = built_report(n_posts=600, n_gold=250)
    sections = tuple(
        section if section.name in _DRAWN else msgspec.structs.replace(section, charts=())
        for section in report.sections
    )
    return msgspec.structs.replace(report, sections=sections)


def main(folder: str) -> None:
    write_report(Path(folder), small_report(), inputs={"labels": "ab" * 32})


if __name__ == "__main__":
    main(sys.argv[1])
