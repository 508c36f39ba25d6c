"""Calls about agreement: reports, the items behind them, the rule, and measuring."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Router, Status

from backend.annotate.batches.selectors import batch_of
from backend.core.accounts.access import user_of
from backend.core.jobs.api import JobOut
from backend.core.jobs.models import Job
from backend.core.studies.access import RESEARCHER, study_of
from backend.core.web.addresses import page
from backend.decide.agreement.api_shapes import (
    AgreementReportOut,
    ComparedItemOut,
    MeasureIn,
    RoundsOut,
    RuleShape,
    WholeAgreementReportOut,
)
from backend.decide.agreement.drill_down import behind
from backend.decide.agreement.exports import CONTENT_TYPES, export_report
from backend.decide.agreement.rounds import rounds_of
from backend.decide.agreement.selectors import report_of, reports_of, rule_of
from backend.decide.agreement.services import Precision, change_rule, request_measurement

router = Router(auth=RESEARCHER)


@router.get("reports", response=list[AgreementReportOut])
def list_reports(
    request: HttpRequest, batch: int | None = None, limit: int = 50, offset: int = 0
) -> list[AgreementReportOut]:
    """Newest first; of one batch, if asked for."""
    found = reports_of(study_of(request))
    if batch is not None:
        found = found.filter(batch=batch)
    return [AgreementReportOut.of(report) for report in found[page(limit, offset)]]


@router.get("reports/{int:report_id}", response=WholeAgreementReportOut)
def read_report(request: HttpRequest, report_id: int) -> WholeAgreementReportOut:
    """With the verdicts of the study's present rule and every number."""
    study = study_of(request)
    return WholeAgreementReportOut.whole(report_of(study, report_id), rule_of(study), user_of(request))


@router.get("reports/{int:report_id}/tables/{form}")
def read_table(request: HttpRequest, report_id: int, form: str) -> HttpResponse:
    """As `csv`, `tex` or `json`."""
    if form not in CONTENT_TYPES:
        raise Http404("A report can be had as csv, tex or json.")
    report = report_of(study_of(request), report_id)
    return HttpResponse(
        export_report(report, form, viewer=user_of(request)), content_type=CONTENT_TYPES[form]
    )


@router.get("reports/{int:report_id}/themes/{code_id}", response=list[ComparedItemOut])
def list_items(
    request: HttpRequest, report_id: int, code_id: str, limit: int = 200, offset: int = 0
) -> list[ComparedItemOut]:
    """The items on which annotators disagree about a theme, with what each said first."""
    found = behind(report_of(study_of(request), report_id), code_id, viewer=user_of(request))
    rows = found.rows(found.item_ids[page(limit, offset)])
    return [
        ComparedItemOut(
            item=row.item.item_id,
            answers={rater: said.words for rater, said in zip(found.raters, row.cells, strict=True) if said},
        )
        for row in rows
    ]


@router.get("rounds", response=RoundsOut)
def compare_rounds(request: HttpRequest) -> RoundsOut:
    """The newest report of each batch side by side, by the measure of the rule."""
    study = study_of(request)
    return RoundsOut.of(rounds_of(study, rule_of(study)))


@router.post("batches/{int:batch_id}/measure", response={202: JobOut})
def measure(request: HttpRequest, batch_id: int, asked: MeasureIn) -> Status[Job]:
    """The job's result names the report; a batch that is not complete has a partial one."""
    job = request_measurement(
        batch=batch_of(study_of(request), batch_id),
        actor=user_of(request),
        now=timezone.now(),
        precision=Precision(asked.resamples, asked.seed),
    )
    return Status(202, job)


@router.get("rule", response=RuleShape)
def read_rule(request: HttpRequest) -> RuleShape:
    return RuleShape.of(rule_of(study_of(request)))


@router.put("rule", response=RuleShape)
def set_rule(request: HttpRequest, rule: RuleShape) -> RuleShape:
    """Reports stay as they are; their verdicts follow the rule."""
    changed = change_rule(
        study=study_of(request), rule=rule.rule(), actor=user_of(request), now=timezone.now()
    )
    return RuleShape.of(changed)
