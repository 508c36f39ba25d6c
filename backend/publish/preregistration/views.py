"""The page of a study's plan: what was frozen, what was done since, and every deviation."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from backend.core.accounts.access import user_of
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.design.codebooks.selectors import latest_edition
from backend.publish.preregistration.errors import PreregistrationError
from backend.publish.preregistration.forms import PlanForm
from backend.publish.preregistration.selectors import comparison_of, n_answers, plan_numbered, plans_of
from backend.publish.preregistration.services import freeze_plan


@study_view(StudyRole.RESEARCHER)
@require_http_methods(["GET", "POST"])
def page(request: HttpRequest, study: Study) -> HttpResponse:
    """The newest plan, and the form for one as long as there are no labels."""
    edition, n = latest_edition(study), n_answers(study)
    form = PlanForm(request.POST or None, study=study, edition=edition) if edition and not n else None
    if request.method == "POST" and form is not None and form.is_valid():
        try:
            found = freeze_plan(study=study, plan=form.plan(), actor=user_of(request), now=timezone.now())
            messages.success(request, f"Plan {found.number} is frozen.")
            return redirect("preregistration:page", slug=study.slug)
        except PreregistrationError as problem:
            form.add_error(None, str(problem))
    plans = list(plans_of(study))
    context = {
        "study": study,
        "edition": edition,
        "n_answers": n,
        "form": form,
        "plans": plans,
        "comparison": comparison_of(plans[0]) if plans else (),
    }
    return render(request, "preregistration/page.html", context)


@study_view(StudyRole.RESEARCHER)
@require_GET
def download(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    """The canonical JSON, whose sha256 is the plan's hash: to be put into a public registry, for example."""
    found = plan_numbered(study, number)
    headers = {"Content-Disposition": f'attachment; filename="{study.slug}-plan-{number}.json"'}
    return HttpResponse(found.canonical, content_type="application/json", headers=headers)
