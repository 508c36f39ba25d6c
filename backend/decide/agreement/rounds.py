"""Rounds of calibration side by side: the newest report of each batch, and how far each theme moved."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.agreement.reports import BatchAgreement, RetestAgreement
from annotation.agreement.round_difference import round_difference
from annotation.agreement.trust_rule import Rule
from annotation.agreement.values import Estimate
from backend.core.studies.models import Study
from backend.decide.agreement.models import AgreementReport, ReportKind
from backend.decide.agreement.reading import read_report
from backend.decide.agreement.selectors import latest_reports
from backend.decide.agreement.verdicts import Judged, ThemeRow, theme_rows
from backend.design.codebooks.selectors import codebook_of
from codebook.schema import Code


@dataclass(frozen=True, slots=True)
class RoundCell:
    """A theme in one round."""

    estimate: Estimate
    judged: Judged


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A theme through all rounds; no cell where an edition did not have it. `moved` is from the last but one to the
    last round that both have it, None where there are no two."""

    code: Code
    cells: tuple[RoundCell | None, ...]
    moved: Estimate | None


@dataclass(frozen=True, slots=True)
class Rounds:
    reports: tuple[AgreementReport, ...]
    rows: tuple[RoundRow, ...]


def rounds_of(study: Study, rule: Rule) -> Rounds:
    """Oldest batch first; rechecks are no rounds."""
    reports = [report for report in latest_reports(study) if report.kind == ReportKind.AGREEMENT]
    measured = [read_report(report) for report in reports]
    themes = [_themes(*each, rule) for each in zip(reports, measured, strict=True)]
    codes = {row.code.id: row.code for found in themes for row in found.values()}
    posts = [set(each.posts) if isinstance(each, BatchAgreement) else set() for each in measured]
    rows = [
        _row(code, [found.get(code_id) for found in themes], rule, posts) for code_id, code in codes.items()
    ]
    return Rounds(tuple(reports), tuple(rows))


def _themes(
    report: AgreementReport, agreement: BatchAgreement | RetestAgreement, rule: Rule
) -> dict[str, ThemeRow]:
    if not isinstance(agreement, BatchAgreement):
        return {}
    return {row.code.id: row for row in theme_rows(codebook_of(report.edition), agreement, rule)}


def _row(code: Code, themes: list[ThemeRow | None], rule: Rule, posts: list[set[str]]) -> RoundRow:
    cells = tuple(
        RoundCell(row.agreement.ratings[rule.measure], row.judged) if row else None for row in themes
    )
    present = [(cell.estimate, own) for cell, own in zip(cells, posts, strict=True) if cell is not None]
    moved = None
    if len(present) >= 2:
        (before, its_posts), (after, later_posts) = present[-2:]
        moved = round_difference(before, after, share_posts=not its_posts.isdisjoint(later_posts))
    return RoundRow(code, cells, moved)
