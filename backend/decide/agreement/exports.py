"""Reports as files: CSV and LaTeX with the numbers of the page, JSON with all there is."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from io import StringIO

from annotation.agreement.reports import CodeRetest, RetestAgreement
from annotation.agreement.tables import csv_table, latex_table
from annotation.agreement.values import Estimate
from annotation.latex import booktabs, latex_escaped, latex_row, two_digits, with_interval
from backend.annotate.batches.blindness import hidden_keys
from backend.core.accounts.models import User
from backend.decide.agreement.models import AgreementReport
from backend.decide.agreement.reading import read_report
from backend.design.codebooks.selectors import codebook_of
from corpus.delimited import safe_cell

CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "tex": "application/x-tex; charset=utf-8",
    "json": "application/json",
}


def export_report(report: AgreementReport, form: str, *, viewer: User | None = None) -> str:
    """`form` is one of CONTENT_TYPES."""
    if form == "json":
        return json.dumps(shown_measures(report, viewer), ensure_ascii=False)
    agreement, names = read_report(report), _names(report)
    if isinstance(agreement, RetestAgreement):
        write = retest_csv if form == "csv" else retest_latex
        return write(agreement, names)
    return csv_table(agreement, names) if form == "csv" else latex_table(agreement, names)


def shown_measures(report: AgreementReport, viewer: User | None) -> object:
    """Every number. The lists of items on which people differ leave out what the viewer still has to judge."""
    hidden = hidden_keys(viewer, report.study)

    def shown(value: object) -> object:
        if isinstance(value, dict):
            return {key: shown(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [shown(inner) for inner in value if not (isinstance(inner, str) and inner in hidden)]
        return value

    return shown(json.loads(report.measures))


def _names(report: AgreementReport) -> dict[str, str]:
    return {code.id: code.name for _, code in codebook_of(report.edition).coded_questions()}


def retest_csv(agreement: RetestAgreement, names: Mapping[str, str]) -> str:
    """One row for each code, annotator and measure; “all” are all annotators together."""
    buffer = StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(
        ("part", "code", "name", "annotator", "measure", "value", "low", "high", "n_items", "note")
    )
    for code in agreement.codes:
        of_raters = [(each.rater, each.estimate) for each in code.raters]
        for rater, found in [("all", code.pooled), *of_raters]:
            for measure, estimate in (("cohen_kappa", found.kappa), ("raw_agreement", found.raw_agreement)):
                named = (code.part.value, code.code_id, names.get(code.code_id, code.code_id), rater, measure)
                writer.writerow([safe_cell(cell) for cell in (*named, *_cells(estimate))])
    return buffer.getvalue()


def _cells(estimate: Estimate) -> tuple[float | str | None, ...]:
    return estimate.value, estimate.low, estimate.high, estimate.n_items, estimate.note


def retest_latex(agreement: RetestAgreement, names: Mapping[str, str]) -> str:
    r"""A booktabs table, for `\usepackage{booktabs}`; a dash stands for what is undefined."""
    caption = (
        f"Test–retest agreement of {len(agreement.raters)} annotators on {agreement.n_items:,} items: Cohen's kappa"
        f" of first and second answers with its Bayesian bootstrap interval ({agreement.resamples:,} resamples)."
    )
    head = [latex_row("Code", r"$\kappa$ [95\% CI]", "Raw", "$n$"), r"\midrule"]
    lines = [*head, *(_latex_row(code, names) for code in agreement.codes)]
    return booktabs(lines, columns="lrrr", caption=caption)


def _latex_row(code: CodeRetest, names: Mapping[str, str]) -> str:
    kappa, raw = code.pooled.kappa, code.pooled.raw_agreement
    name = latex_escaped(names.get(code.code_id, code.code_id))
    interval = with_interval(kappa.value, kappa.low, kappa.high)
    return latex_row(name, interval, two_digits(raw.value), str(kappa.n_items))
