"""An annotator's home in a study, and where a person lands after log-in."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET

from backend.annotate.batches.hooks import work_page_context
from backend.annotate.batches.work import only_study, work_of
from backend.core.accounts.access import user_of
from backend.core.accounts.models import AccountRole
from backend.core.studies.access import role_in, study_view
from backend.core.studies.models import Study, StudyRole
from backend.design.codebooks.selectors import latest_edition


@study_view(StudyRole.ANNOTATOR)
@require_GET
def work(request: HttpRequest, study: Study) -> HttpResponse:
    user = user_of(request)
    found = work_of(user, study, today=timezone.localdate())
    context: dict[str, object] = {
        "study": study,
        "is_researcher": role_in(user, study) == StudyRole.RESEARCHER,
        "current": [share for share in found if share.is_current],
        "to_mend": [share for share in found if share.is_current and share.to_mend],
        "past": [share for share in found if not share.is_current],
        "edition": latest_edition(study),
    }
    for more in work_page_context(user, study, timezone.now()):
        context |= more
    return render(request, "batches/work.html", context)


@require_GET
def landing(request: HttpRequest) -> HttpResponse:
    """Annotators with one study go straight to their work; everybody else chooses."""
    user = user_of(request)
    study = only_study(user) if user.role == AccountRole.ANNOTATOR else None
    return redirect("batches:work", slug=study.slug) if study else redirect("overview:home")
