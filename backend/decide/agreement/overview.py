"""Every batch of which agreement can be told, with what was measured last."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.agreement.reports import BatchAgreement, RetestAgreement
from annotation.agreement.trust_rule import Rule
from annotation.agreement.values import Estimate
from backend.annotate.batches.models import Batch
from backend.core.studies.models import Study
from backend.decide.agreement.models import AgreementReport
from backend.decide.agreement.queue import waiting_measurements
from backend.decide.agreement.reading import read_report
from backend.decide.agreement.selectors import is_complete, latest_reports, measurable_batches
from backend.decide.agreement.verdicts import Headline, headline, theme_rows
from backend.design.codebooks.selectors import codebook_of


@dataclass(frozen=True, slots=True)
class OverviewRow:
    """`mean` is over all themes: the rule's measure, or in a recheck Cohen's kappa."""

    batch: Batch
    is_complete: bool
    is_being_measured: bool
    report: AgreementReport | None = None
    headline: Headline | None = None
    mean: Estimate | None = None
    n_items: int = 0
    n_annotators: int = 0


def overview_rows(study: Study, rule: Rule) -> list[OverviewRow]:
    """Newest batch first."""
    reports = {report.batch_id: report for report in latest_reports(study)}
    return [_row(batch, reports.get(batch.pk), rule) for batch in measurable_batches(study)]


def _row(batch: Batch, report: AgreementReport | None, rule: Rule) -> OverviewRow:
    complete, waiting = is_complete(batch), bool(waiting_measurements(batch))
    if report is None:
        return OverviewRow(batch, complete, waiting)
    agreement = read_report(report)
    found = None
    if not isinstance(agreement, RetestAgreement):
        found = headline(report, theme_rows(codebook_of(report.edition), agreement, rule))
    mean = mean_over_themes(agreement, rule)
    return OverviewRow(
        batch, complete, waiting, report, found, mean, agreement.n_items, len(agreement.raters)
    )


def mean_over_themes(agreement: BatchAgreement | RetestAgreement, rule: Rule) -> Estimate | None:
    """The rule's measure, or in a recheck Cohen's kappa."""
    if isinstance(agreement, RetestAgreement):
        return agreement.mean.kappa
    return next((each[rule.measure] for each in agreement.means if each.part is None), None)
