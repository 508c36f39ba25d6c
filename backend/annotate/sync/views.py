"""The page that shows how Label Studio and Attune stand to each other, and the door into Label Studio."""

from __future__ import annotations

import logging

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from backend.annotate.batches.blindness import StillToJudge, open_seats
from backend.annotate.batches.models import AssignedItem, Assignment
from backend.annotate.label_studio.errors import LabelStudioError
from backend.annotate.label_studio.keys import sign_in_url
from backend.annotate.sync import selectors
from backend.annotate.sync.errors import SyncError
from backend.annotate.sync.repair import enqueue_repair
from backend.annotate.sync.seats import entrance_for, own_assignment
from backend.core.accounts.access import user_of
from backend.core.accounts.views import admin_only
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole

logger = logging.getLogger(__name__)
QUARANTINE_SHOWN = 200


@study_view(StudyRole.RESEARCHER)
@require_GET
def status(request: HttpRequest, study: Study) -> HttpResponse:
    doubts = selectors.quarantine(study, user_of(request))
    context = {
        "study": study,
        "statuses": selectors.project_statuses(study),
        "quarantine": doubts[:QUARANTINE_SHOWN],
        "quarantine_count": doubts.count(),
        "last_look": selectors.last_look(study),
    }
    partial = request.headers.get("HX-Request") == "true"
    return render(request, "sync/_status.html" if partial else "sync/status.html", context)


@study_view(StudyRole.RESEARCHER)
@require_POST
def repair(request: HttpRequest, study: Study, project_id: int) -> HttpResponse:
    project = selectors.project_of(study, project_id)
    job = enqueue_repair(project=project, actor=user_of(request), now=timezone.now())
    return redirect("jobs:detail", slug=study.slug, job_id=job.pk)


@study_view(StudyRole.ANNOTATOR)
@require_POST
def enter(request: HttpRequest, study: Study, assignment_id: int) -> HttpResponse:
    """Somebody else's share is not found, whoever asks."""
    assignment = own_assignment(user_of(request), study.pk, assignment_id)
    if assignment is None:
        raise Http404("This is not your work.")
    from backend.annotate.label_studio.client import connect  # the client takes long to load

    try:
        return redirect(entrance_for(assignment, _place(request, assignment), connect()))
    except (SyncError, LabelStudioError) as problem:
        messages.error(request, str(problem))
        return redirect("batches:work", slug=study.slug)


@admin_only
@require_POST
def enter_as_owner(request: HttpRequest) -> HttpResponse:
    """Label Studio's owner sees and changes everything, so there is no other way in, and it is written down."""
    if n_items := open_seats(user_of(request)).count():
        raise StillToJudge(n_items)
    logger.warning("%s opens Label Studio as its owner.", user_of(request).username)
    return redirect(sign_in_url(account_id=None, next_path="/projects/"))


def _place(request: HttpRequest, assignment: Assignment) -> AssignedItem | None:
    if not request.POST.get("item"):
        return None
    wanted = request.POST["item"]
    place = (
        assignment.assigned_items.select_related("item").filter(pk=wanted).first()
        if wanted.isdecimal()
        else None
    )
    if place is None:
        raise Http404("This item is not in your work.")
    return place
