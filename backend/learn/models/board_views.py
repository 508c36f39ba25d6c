"""Pages that set adapters side by side: promotion reports, looks at test sets, leaderboards, comparisons of two."""

from __future__ import annotations

import msgspec
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from annotation.release.rows import SplitPart
from backend.core.accounts.access import user_of
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.decide.releases.selectors import release_numbered
from backend.design.codebooks.selectors import codebook_of
from backend.learn.models.boards import CONTENT_TYPES, Board, board_of, export_board
from backend.learn.models.charts import METRIC_NAMES, change_chart, comparison_chart, theme_names
from backend.learn.models.comparing import comparison_of, read_comparison
from backend.learn.models.errors import AdapterError
from backend.learn.models.examining import kinds_of, verdict_of
from backend.learn.models.ledger import ledger_numbered, ledger_state
from backend.learn.models.models import AdapterState
from backend.learn.models.queue import enqueue_comparison
from backend.learn.models.selectors import adapter_numbered, promotion_rule_of, report_of
from backend.learn.models.today import today_in
from learning.promotion.findings import decode_findings
from learning.promotion.rule import PromotionRule
from learning.promotion.verdict import left_out_words
from learning.scoring.values import HEADLINE


@study_view(StudyRole.RESEARCHER)
@require_GET
def promotion_report(request: HttpRequest, study: Study, promotion_id: int) -> HttpResponse:
    report = report_of(study, promotion_id)
    findings = decode_findings(report.content.encode())
    rule = msgspec.convert(report.rule, type=PromotionRule)
    given = verdict_of(report)
    codebook = codebook_of(report.release.edition)
    context = {
        "study": study,
        "report": report,
        "candidate": report.candidate,
        "rule": rule,
        "verdict": given,
        "findings": findings,
        "comparison": findings.comparison,
        "metric": METRIC_NAMES[given.metric] if given.metric else "",
        "left_out": left_out_words(findings.left_out),
        "names": theme_names(codebook),
        "rows": [(theme_names(codebook).get(theme.code_id, theme.code_id), theme) for theme in given.themes],
        "chart": change_chart(given.themes, theme_names(codebook), rule.largest_drop),
        "ledger": ledger_state(report.look.ledger, promotion_rule_of(study)) if report.look else None,
        "is_current": today_in(study).holds(report),
        "is_candidate": report.candidate.state != AdapterState.IN_SERVICE,
    }
    return render(request, "models/promotion_report.html", context)


@study_view(StudyRole.RESEARCHER)
@require_GET
def test_set(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    """Every look at it, and what is left."""
    state = ledger_state(ledger_numbered(study, number), promotion_rule_of(study))
    return render(request, "models/test_set.html", {"study": study, "state": state})


@study_view(StudyRole.RESEARCHER)
@require_GET
def leaderboard(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    release = release_numbered(study, number)
    part, every = _part(request), bool(request.GET.get("every"))
    context = {
        "study": study,
        "release": release,
        "part": part,
        "every": every,
        "board": board_of(release, part, every=every),
        "adapters": release.adapters.order_by("number"),
        "comparisons": study.adapter_comparisons.filter(first__release=release).select_related(
            "first", "second"
        ),
        "metric_names": METRIC_NAMES,
    }
    return render(request, "models/leaderboard.html", context)


def _part(request: HttpRequest) -> SplitPart:
    asked = request.GET.get("part") or request.POST.get("part")
    return SplitPart.VALIDATION if asked == SplitPart.VALIDATION else SplitPart.TEST


@study_view(StudyRole.RESEARCHER)
@require_GET
def export(request: HttpRequest, study: Study, number: int, form: str) -> HttpResponse:
    release = release_numbered(study, number)
    board: Board | None = board_of(release, _part(request), every=bool(request.GET.get("every")))
    if form not in CONTENT_TYPES or board is None:
        raise Http404("A leaderboard can be had as csv or tex, once an adapter was measured.")
    name = f"{study.slug}-release-{number}-leaderboard.{form}"
    return HttpResponse(
        export_board(board, form),
        content_type=CONTENT_TYPES[form],
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@study_view(StudyRole.RESEARCHER)
@require_POST
def compare(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    """Two adapters of a release, by a paired bootstrap."""
    try:
        first, second = (adapter_numbered(study, _number(request, name)) for name in ("first", "second"))
        job = enqueue_comparison(
            first=first, second=second, part=_part(request), actor=user_of(request), now=timezone.now()
        )
    except AdapterError as problem:
        messages.error(request, str(problem))
        return redirect("models:leaderboard", slug=study.slug, number=number)
    return redirect("jobs:detail", slug=study.slug, job_id=job.pk)


def _number(request: HttpRequest, name: str) -> int:
    given = request.POST.get(name, "")
    if not (given.isascii() and given.isdigit()):
        raise Http404("Choose two adapters.")
    return int(given)


@study_view(StudyRole.RESEARCHER)
@require_GET
def comparison(request: HttpRequest, study: Study, comparison_id: int) -> HttpResponse:
    found = comparison_of(study, comparison_id)
    content = read_comparison(found)
    edition = found.first.release.edition
    codebook = codebook_of(edition)
    metrics = {code: HEADLINE[kind] for code, kind in kinds_of(edition).items()}
    names = theme_names(codebook)
    rows = [
        (names[code.code_id], code, code.differences.get(metrics[code.code_id])) for code in content.codes
    ]
    context = {
        "study": study,
        "found": found,
        "comparison": content,
        "rows": [row for row in rows if row[2] is not None],
        "means": [
            (METRIC_NAMES[metric], difference)
            for mean in content.means
            if mean.part is None
            for metric, difference in mean.differences.items()
            if metric in set(metrics.values())
        ],
        "chart": comparison_chart(content, metrics, codebook),
    }
    return render(request, "models/comparison.html", context)
