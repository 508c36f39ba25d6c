"""Buttons of adjudication: undo, restore, look for suspects, dismiss one."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from backend.core.accounts.access import user_of
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.core.web.addresses import whole_number
from backend.decide.adjudication import services
from backend.decide.adjudication.errors import AdjudicationError
from backend.decide.adjudication.forms import DismissForm
from backend.decide.adjudication.history import decision_seen_by
from backend.decide.adjudication.models import Suspicion
from backend.decide.adjudication.plan_services import dismiss_suspicion
from backend.decide.adjudication.suspicion_rows import enqueue_find_suspects
from backend.design.samples.models import Item


@study_view(StudyRole.RESEARCHER)
@require_POST
def undo(request: HttpRequest, study: Study, decision_id: int) -> HttpResponse:
    past = decision_seen_by(user_of(request), study, decision_id)
    try:
        services.undo(decision=past.decision, actor=user_of(request), now=timezone.now())
        messages.success(
            request, "Undone: nothing is decided about this item now. Its history keeps what was."
        )
    except AdjudicationError as problem:
        messages.error(request, str(problem))
    return _to(request, study, past.decision.item)


@study_view(StudyRole.RESEARCHER)
@require_POST
def restore(request: HttpRequest, study: Study, decision_id: int) -> HttpResponse:
    past = decision_seen_by(user_of(request), study, decision_id)
    try:
        services.restore(
            decision=past.decision,
            actor=user_of(request),
            expected_number=whole_number(request.POST.get("expected_number"), default=0),
            now=timezone.now(),
        )
        messages.success(request, "This decision stands again.")
    except AdjudicationError as problem:
        messages.error(request, str(problem))
    return _to(request, study, past.decision.item)


@study_view(StudyRole.RESEARCHER)
@require_POST
def dismiss(request: HttpRequest, study: Study, suspicion_id: int) -> HttpResponse:
    found = Suspicion.objects.filter(pk=suspicion_id, item__study=study).select_related("item").first()
    if found is None:
        raise Http404("This study has no such suspicion.")
    form = DismissForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() else ""
    try:
        dismiss_suspicion(suspicion=found, reason=reason, actor=user_of(request), now=timezone.now())
        messages.success(request, "Dismissed: it does not come back.")
    except AdjudicationError as problem:
        messages.error(request, str(problem))
    return _to(request, study, found.item)


@study_view(StudyRole.RESEARCHER)
@require_POST
def find_suspects(request: HttpRequest, study: Study) -> HttpResponse:
    """Left to a worker: comparing thousands of texts takes a while."""
    enqueue_find_suspects(study=study, actor=user_of(request), now=timezone.now())
    messages.success(
        request, "Looking for suspects. What is found joins the queue; “Jobs” tells when it is done."
    )
    return redirect("adjudication:queue", slug=study.slug)


def _to(request: HttpRequest, study: Study, item: Item) -> HttpResponse:
    answer = redirect("adjudication:item", slug=study.slug, item_id=item.item_id)
    if request.GET:
        answer["Location"] += f"?{request.GET.urlencode()}"
    return answer
