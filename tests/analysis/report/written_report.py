"""Writes a report of an invented corpus into a folder, as a process of its own."""

import sys
from pathlib import Path

from analysis.report.build import build_report
from analysis.report.files import write_report
from tests.analysis.report.given_report import given_report


def main(folder: str) -> None:
    given = given_report(n_posts=600, n_gold=250)
    write_report(Path(folder), build_report(given), inputs={"labels": "ab" * 32})


if __name__ == "__main__":
    main(sys.argv[1])
