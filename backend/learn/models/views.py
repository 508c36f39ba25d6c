"""Pages of adapters: which are there, what each is, and what is in service."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from annotation.release.rows import SplitPart
from backend.core.accounts.access import user_of
from backend.core.jobs.selectors import active_jobs
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.core.web.addresses import whole_number
from backend.design.codebooks.selectors import codebook_of
from backend.learn.models import services
from backend.learn.models.charts import METRIC_NAMES, theme_chart, theme_names
from backend.learn.models.curves import theme_curves
from backend.learn.models.errors import AdapterError
from backend.learn.models.forms import RuleForm
from backend.learn.models.ledger import ledger_states
from backend.learn.models.models import Adapter, AdapterState
from backend.learn.models.probing import probe_words
from backend.learn.models.promotion import promotion_of
from backend.learn.models.queue import (
    COMPARE_ADAPTERS,
    EXAMINE_ADAPTER,
    PROBE_ADAPTER,
    TRAIN_ADAPTER,
    enqueue_gate,
)
from backend.learn.models.rows import adapter_rows, soft_rows, theme_rows
from backend.learn.models.selectors import (
    adapter_numbered,
    predecessor,
    promotion_rule_of,
    report_of,
    reports_of,
)
from backend.learn.models.today import telling_report, today_in
from learning.learners.registry import can_continue, title_of
from learning.learners.spec import learns_evidence
from learning.scoring.values import main_metric, main_score

WORK = (TRAIN_ADAPTER, EXAMINE_ADAPTER, COMPARE_ADAPTERS, PROBE_ADAPTER)


@study_view(StudyRole.RESEARCHER)
@require_GET
def adapter_list(request: HttpRequest, study: Study) -> HttpResponse:
    rows = adapter_rows(study)
    current = next((row for row in rows if row.adapter.state == AdapterState.IN_SERVICE), None)
    rule = promotion_rule_of(study)
    context = {
        "study": study,
        "rows": rows,
        "current": current,
        "before": predecessor(current.adapter) if current else None,
        "jobs": active_jobs(study.pk).filter(kind__in=WORK).order_by("pk"),
        "releases": study.releases.all(),
        "has_texts": any(release.request["texts"] for release in study.releases.all()),
        "boards": study.releases.filter(adapters__isnull=False).distinct(),
        "grids": study.training_grids.select_related("release")[:5],
        "events": study.adapter_events.select_related("adapter", "replaced", "actor")[:20],
        "ledgers": ledger_states(study, rule),
        "rule": rule,
        "rule_form": RuleForm.of(rule),
    }
    return render(request, "models/list.html", context)


@study_view(StudyRole.RESEARCHER)
@require_GET
def detail(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    adapter = adapter_numbered(study, number)
    return render(request, "models/detail.html", {"study": study, **_detail(adapter)})


def _detail(adapter: Adapter) -> dict[str, object]:
    card = adapter.read_card()
    codebook = codebook_of(adapter.edition)
    test = card.measures.get(SplitPart.TEST.value)
    validation = card.measures.get(SplitPart.VALIDATION.value)
    shown = test or validation
    metric = main_metric(shown) if shown else None
    today, promotion = today_in(adapter.study), promotion_of(adapter)
    report = today.telling(reports_of(adapter.study).filter(candidate=adapter))
    return {
        "adapter": adapter,
        "card": card,
        "title": title_of(adapter.learner),
        "can_continue": can_continue(adapter.learner),
        "names": theme_names(codebook),
        "probe_words": probe_words(adapter),
        "evaluation": shown,
        "score": main_score(shown) if shown else None,
        "validation_score": main_score(validation) if validation else None,
        "metric": METRIC_NAMES[metric] if metric else "",
        "rows": theme_rows(shown, theme_names(codebook), gives_evidence=learns_evidence(card.config))
        if shown
        else [],
        "soft_rows": soft_rows(shown, theme_names(codebook)) if shown else [],
        "chart": theme_chart(shown, codebook) if shown else None,
        "curves": theme_curves(adapter, codebook),
        "report": report,
        "promotion": promotion,
        "override": promotion if promotion.is_override else None,
        "can_enter": bool(report and report.passed and today.holds(report)),
        "reports": adapter.promotion_reports.select_related("incumbent"),
        "current": today.in_service,
        "events": adapter.events.select_related("replaced", "actor"),
        "config": sorted(card.config.items()),
        "jobs": active_jobs(adapter.study_id).filter(kind=EXAMINE_ADAPTER, arguments__adapter=adapter.number),
    }


@study_view(StudyRole.RESEARCHER)
@require_POST
def compare_with_service(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    adapter = adapter_numbered(study, number)
    job = enqueue_gate(adapter=adapter, actor=user_of(request), now=timezone.now())
    return redirect("jobs:detail", slug=study.slug, job_id=job.pk)


@study_view(StudyRole.RESEARCHER)
@require_POST
def promote(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    """By the promotion rule, or against it with a reason. The page of a report names it."""
    adapter = adapter_numbered(study, number)
    named = whole_number(request.POST.get("report"), default=0)
    try:
        services.promote(
            adapter=adapter,
            report=report_of(study, named) if named else telling_report(adapter),
            override_reason=request.POST.get("reason", ""),
            actor=user_of(request),
            now=timezone.now(),
        )
        messages.success(request, f"“{adapter.name}” is in service.")
    except AdapterError as problem:
        messages.error(request, str(problem))
    return redirect("models:detail", slug=study.slug, number=number)


@study_view(StudyRole.RESEARCHER)
@require_POST
def roll_back(request: HttpRequest, study: Study) -> HttpResponse:
    try:
        adapter = services.roll_back(study=study, actor=user_of(request), now=timezone.now())
        messages.success(request, f"“{adapter.name}” is in service again.")
    except AdapterError as problem:
        messages.error(request, str(problem))
    return redirect("models:list", slug=study.slug)


@study_view(StudyRole.RESEARCHER)
@require_POST
def retire(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    adapter = adapter_numbered(study, number)
    try:
        services.retire(
            adapter=adapter,
            reason=request.POST.get("reason", ""),
            actor=user_of(request),
            now=timezone.now(),
        )
        messages.success(request, f"“{adapter.name}” is retired.")
    except AdapterError as problem:
        messages.error(request, str(problem))
    return redirect("models:detail", slug=study.slug, number=number)


@study_view(StudyRole.RESEARCHER)
@require_POST
def change_rule(request: HttpRequest, study: Study) -> HttpResponse:
    form = RuleForm(request.POST)
    if form.is_valid():
        services.change_promotion_rule(
            study=study, rule=form.rule(), actor=user_of(request), now=timezone.now()
        )
        messages.success(
            request,
            "The rule is changed. Reports stay as they are; the next examination goes by the new one.",
        )
    else:
        messages.error(request, "The rule was not changed: give numbers that can be met.")
    return redirect("models:list", slug=study.slug)
