"""The pages that say how much gold and how much agreement is needed, and what a new edition makes of shares."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from analysis.errors import NotAnalysable
from annotation.agreement.planning import PlanImpossible
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.decide.releases.errors import ReleaseError
from backend.decide.releases.selectors import release_numbered
from backend.publish.planning.charts import assumed_chart, widths_chart
from backend.publish.planning.edition_bridge import BridgeForm, bridge_releases, earlier_releases
from backend.publish.planning.edition_bridge import row_of as bridge_row
from backend.publish.planning.forms import AgreementForm, AssumedForm, TableForm
from backend.publish.planning.rows import row_of
from backend.publish.planning.selectors import planned_tables, report_for_planning
from backend.publish.reports.errors import ReportError


@study_view(StudyRole.RESEARCHER)
@require_GET
def page(request: HttpRequest, study: Study) -> HttpResponse:
    """Everything is in the address, so that a plan can be sent to a colleague."""
    context: dict[str, object] = {"study": study}
    context |= _from_report(request, study) | _read_assumption(request) | _agreement(request)
    return render(request, "planning/page.html", context)


@study_view(StudyRole.RESEARCHER)
@require_GET
def bridge(request: HttpRequest, study: Study) -> HttpResponse:
    """Like the planner it has everything in its address."""
    form = BridgeForm(request.GET if "old" in request.GET else None, study=study)
    context: dict[str, object] = {"study": study, "form": form, "earlier": earlier_releases(study)}
    if form.is_bound and form.is_valid():
        asked = form.cleaned_data
        old, new = release_numbered(study, asked["old"]), release_numbered(study, asked["new"])
        try:
            found = bridge_releases(old, new, asked["half_width"] / 100)
            rows = [bridge_row(each) for each in found.codes]
            context |= {"found": found, "rows": rows, "half_width": asked["half_width"]}
        except (NotAnalysable, ReleaseError) as problem:
            context["problem"] = str(problem)
    return render(request, "planning/bridge.html", context)


def _from_report(request: HttpRequest, study: Study) -> dict[str, object]:
    report = report_for_planning(study.slug)
    if report is None:
        return {}
    try:
        tables = planned_tables(report)
    except ReportError as problem:
        return {"report": report, "problem": str(problem)}
    if not tables:
        return {"report": report}
    form = TableForm(request.GET if "table" in request.GET else None, tables=tables)
    chosen, width = form.chosen()
    shown = tables[chosen]
    return {
        "report": report,
        "table_form": form,
        "shown": shown,
        "wanted": width,
        "rows": [row_of(each, shown.names, width) for each in shown.estimates],
        "widths_chart": widths_chart(shown),
    }


def _read_assumption(request: HttpRequest) -> dict[str, object]:
    form = AssumedForm(request.GET) if "share" in request.GET else AssumedForm()
    if not (form.is_bound and form.is_valid()):
        return {"assumed_form": form}
    theme = form.assumed()
    return {
        "assumed_form": form,
        "assumed_chart": assumed_chart(theme),
        "assumed_needed": theme.labels_for(form.cleaned_data["width"] / 100),
    }


def _agreement(request: HttpRequest) -> dict[str, object]:
    form = AgreementForm(request.GET) if "kappa" in request.GET else AgreementForm()
    if not (form.is_bound and form.is_valid()):
        return {"agreement_form": form}
    try:
        return {"agreement_form": form, "needs": form.needs().sentences}
    except PlanImpossible as problem:
        return {"agreement_form": form, "impossible": str(problem)}
