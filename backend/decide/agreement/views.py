"""Pages on which researchers see which themes can be trusted, and what stands behind each number."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from annotation.agreement.registry import short_table_statistics, statistics
from annotation.agreement.reports import BatchAgreement, RetestAgreement
from backend.annotate.batches.selectors import batch_of
from backend.core.accounts.access import user_of
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.decide.agreement import charts
from backend.decide.agreement.drill_down import What, behind
from backend.decide.agreement.exports import CONTENT_TYPES, export_report
from backend.decide.agreement.forms import RuleForm
from backend.decide.agreement.models import AgreementReport
from backend.decide.agreement.overview import overview_rows
from backend.decide.agreement.queue import waiting_measurements
from backend.decide.agreement.reading import read_report
from backend.decide.agreement.rounds import rounds_of
from backend.decide.agreement.selectors import (
    can_be_measured,
    is_complete,
    latest_report,
    left_out_words,
    report_of,
    rule_of,
)
from backend.decide.agreement.verdicts import cells, headline, notes_of, retest_rows, theme_rows
from backend.design.codebooks.selectors import codebook_of

ITEMS_A_PAGE = 50


@study_view(StudyRole.RESEARCHER)
@require_GET
def overview(request: HttpRequest, study: Study) -> HttpResponse:
    rule = rule_of(study)
    context = {
        "study": study,
        "rows": overview_rows(study, rule),
        "rule": rule,
        "rule_form": RuleForm.of(rule),
        "has_edition": study.editions.exists(),
    }
    return render(request, "agreement/list.html", context)


@study_view(StudyRole.RESEARCHER)
@require_GET
def batch(request: HttpRequest, study: Study, batch_id: int) -> HttpResponse:
    """The newest report, or what has to happen before there is one."""
    found = batch_of(study, batch_id)
    waiting = waiting_measurements(found)
    newest = latest_report(found)
    if newest is not None and not waiting:
        return redirect("agreement:report", slug=study.slug, report_id=newest.pk)
    context = {
        "study": study,
        "batch": found,
        "newest": newest,
        "job": waiting[0][0] if waiting else None,
        "can_be_measured": can_be_measured(found),
        "is_complete": is_complete(found),
    }
    return render(request, "agreement/batch.html", context)


@study_view(StudyRole.RESEARCHER)
@require_GET
def report(request: HttpRequest, study: Study, report_id: int) -> HttpResponse:
    found = report_of(study, report_id)
    agreement = read_report(found)
    context = {
        "study": study,
        "report": found,
        "agreement": agreement,
        "left_out": left_out_words(found.batch),
        "history": study.agreement_reports.filter(batch=found.batch_id).select_related("requested_by"),
    }
    if isinstance(agreement, RetestAgreement):
        return render(request, "agreement/retest.html", context | _retest_context(found, agreement))
    return render(request, "agreement/report.html", context | _report_context(found, agreement))


def _report_context(found: AgreementReport, agreement: BatchAgreement) -> dict[str, object]:
    rule = rule_of(found.study)
    rows = theme_rows(codebook_of(found.edition), agreement, rule)
    return {
        "rule": rule,
        "rows": rows,
        "statistics": statistics(),
        "short_statistics": short_table_statistics(),
        "means": [(mean, cells(mean, statistics())) for mean in agreement.means],
        "headline": headline(found, rows),
        "theme_charts": charts.theme_charts(rows, rule),
        "pairs_chart": charts.pairs_chart(agreement),
        "pairs_by_theme_chart": charts.pairs_by_theme_chart(rows, agreement, found),
        "evidence": [row for row in rows if row.agreement.marks],
        "sentences": [row for row in rows if row.agreement.sentences],
        "notes": notes_of(rows),
    }


def _retest_context(found: AgreementReport, agreement: RetestAgreement) -> dict[str, object]:
    rows = retest_rows(codebook_of(found.edition), agreement)
    return {
        "rows": rows,
        "charts": charts.retest_charts(rows),
        "rater_chart": charts.retest_by_rater_chart(rows, agreement),
    }


@study_view(StudyRole.RESEARCHER)
@require_GET
def items(request: HttpRequest, study: Study, report_id: int, code_id: str) -> HttpResponse:
    """The items behind a theme's number, with what each annotator first said; `what` and `pair` narrow them."""
    what = What.EVIDENCE if request.GET.get("what") == What.EVIDENCE else What.ANSWERS
    found = behind(report_of(study, report_id), code_id, what, viewer=user_of(request))
    if pair := tuple(request.GET.getlist("pair")):
        found = found.between(pair)
    page = Paginator(found.item_ids, ITEMS_A_PAGE).get_page(request.GET.get("page"))
    context = {"study": study, "behind": found, "page": page, "rows": found.rows(list(page))}
    return render(request, "agreement/items.html", context)


@study_view(StudyRole.RESEARCHER)
@require_GET
def rounds(request: HttpRequest, study: Study) -> HttpResponse:
    rule = rule_of(study)
    return render(
        request, "agreement/rounds.html", {"study": study, "rule": rule, "rounds": rounds_of(study, rule)}
    )


@study_view(StudyRole.RESEARCHER)
@require_GET
def export(request: HttpRequest, study: Study, report_id: int, form: str) -> HttpResponse:
    if form not in CONTENT_TYPES:
        raise Http404("A report can be had as csv, tex or json.")
    found = report_of(study, report_id)
    name = f"{study.slug}-agreement-{found.pk}.{form}"
    return HttpResponse(
        export_report(found, form, viewer=user_of(request)),
        content_type=CONTENT_TYPES[form],
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
