"""Kept reports as typed values."""

from __future__ import annotations

from annotation.agreement.files import (
    AgreementFileUnreadable,
    decode_batch_agreement,
    decode_retest_agreement,
)
from annotation.agreement.registry import method_version
from annotation.agreement.reports import BatchAgreement, RetestAgreement
from backend.decide.agreement.models import AgreementReport, ReportKind


def read_report(report: AgreementReport) -> BatchAgreement | RetestAgreement:
    return read_measures(ReportKind(report.kind), report.measures)


def read_measures(kind: ReportKind, measures: str) -> BatchAgreement | RetestAgreement:
    """Raises AgreementFileUnreadable where it is none."""
    read = decode_retest_agreement if kind == ReportKind.RETEST else decode_batch_agreement
    return read(measures.encode())


def can_be_kept(kind: ReportKind, measures: str) -> bool:
    """Whether it can be read and is measured as we do; an ML backend of another version may still be running."""
    try:
        return read_measures(kind, measures).method == method_version()
    except AgreementFileUnreadable:
        return False
