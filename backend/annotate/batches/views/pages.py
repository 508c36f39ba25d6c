"""Pages on which researchers see how far their batches are."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET

from backend.annotate.batches.forms import DueDateForm, HandOverForm, NameForm, WithdrawForm
from backend.annotate.batches.item_states import item_rows, items_of
from backend.annotate.batches.models import BatchState
from backend.annotate.batches.progress import batch_progress, study_progress
from backend.annotate.batches.selectors import batch_of, exposed_items, has_work, request_of
from backend.annotate.batches.work import only_study, work_of
from backend.annotate.hooks import batch_page_context, work_page_context
from backend.core.accounts.access import user_of
from backend.core.accounts.models import AccountRole
from backend.core.studies.access import role_in, study_view
from backend.core.studies.models import Study, StudyRole
from backend.design.codebooks.selectors import latest_edition

ITEMS_A_PAGE = 50


@study_view(StudyRole.RESEARCHER)
@require_GET
def batch_list(request: HttpRequest, study: Study) -> HttpResponse:
    context = {
        "study": study,
        "batches": study_progress(study, today=timezone.localdate()),
        "has_edition": study.editions.exists(),
    }
    return render(request, "batches/list.html", context)


@study_view(StudyRole.RESEARCHER)
@require_GET
def detail(request: HttpRequest, study: Study, batch_id: int) -> HttpResponse:
    batch = batch_of(study, batch_id)
    progress = batch_progress(batch, today=timezone.localdate())
    exposed = exposed_items(batch)
    page = Paginator(items_of(batch), ITEMS_A_PAGE).get_page(request.GET.get("page"))
    context: dict[str, object] = {
        "study": study,
        "batch": batch,
        "asked": request_of(batch),
        "progress": progress,
        "annotators": [(row, exposed.get(row.assignment.pk, 0)) for row in progress.annotators],
        "exposed": sum(
            exposed.get(row.assignment.pk, 0) for row in progress.annotators if not row.is_withdrawn
        ),
        "page": page,
        "rows": item_rows(list(page), [row.assignment for row in progress.annotators], user_of(request)),
        "may_discard": batch.state != BatchState.DISCARDING and not has_work(batch),
        "name_form": NameForm(initial={"name": batch.name}),
        "due_form": DueDateForm(initial={"due_on": batch.due_on}),
        "hand_over_form": HandOverForm(batch=batch, auto_id="hand_over_%s"),
        "withdraw_form": WithdrawForm(batch=batch, auto_id="withdraw_%s"),
    }
    for more in batch_page_context(batch):
        context |= more
    return render(request, "batches/detail.html", context)


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
