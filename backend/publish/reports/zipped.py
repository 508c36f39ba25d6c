"""A report as one file."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.report.content import MANIFEST
from backend.core.web.zips import zip_pieces
from backend.publish.reports.errors import NotAsMade
from backend.publish.reports.files import problems_of, read_manifest
from backend.publish.reports.models import Report


def zip_name(report: Report) -> str:
    return f"{report.study.slug}-report-{report.number}.zip"


def zipped(report: Report) -> Iterator[bytes]:
    """Refused before anything is sent if other files than those that were made lie there; the same bytes every time."""
    names = sorted([MANIFEST, *read_manifest(report).files])
    problems = problems_of(report)
    if problems:
        raise NotAsMade(problems)
    return zip_pieces(report.folder, names, f"{report.study.slug}-report-{report.number}")
