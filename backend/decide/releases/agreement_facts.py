"""What a data card tells of a batch's agreement."""

from __future__ import annotations

from annotation.agreement.reports import BatchAgreement, CodeAgreement
from annotation.release.card_facts import AgreementFact, AgreementRow
from backend.annotate.batches.models import Batch
from backend.decide.agreement.models import ReportKind
from backend.decide.agreement.reading import read_report
from backend.decide.agreement.selectors import latest_report
from backend.design.codebooks.selectors import codebook_of


def agreement_facts(batch: Batch) -> AgreementFact | None:
    """From the batch's newest report; None where none was made."""
    report = latest_report(batch)
    if report is None or report.kind != ReportKind.AGREEMENT:
        return None
    measured = read_report(report)
    if not isinstance(measured, BatchAgreement):
        return None
    names = {code.id: code.name for _, code in codebook_of(report.edition).coded_questions()}
    return AgreementFact(
        batch=batch.name,
        is_partial=report.is_partial,
        rows=tuple(_row(names.get(code.code_id, code.code_id), code) for code in measured.codes),
        alpha_check=measured.alpha_check.says if measured.alpha_check else "",
    )


def _row(theme: str, code: CodeAgreement) -> AgreementRow:
    ratings = code.ratings
    return AgreementRow(
        theme=theme,
        estimates=ratings.estimates,
        n_items=ratings["fleiss_kappa"].n_items,
        warning=code.prevalence_warning,
    )
