"""The page of a study's notices, and the buttons that mark them as read."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from backend.core.accounts.access import user_of
from backend.core.notices.models import Notice
from backend.core.notices.selectors import read_notices, unread_notices
from backend.core.notices.services import mark_all_read, mark_read
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole

NOTICES_A_PAGE = 50


@study_view(StudyRole.RESEARCHER)
@require_GET
def notice_list(request: HttpRequest, study: Study) -> HttpResponse:
    user = user_of(request)
    page = Paginator(read_notices(user, study), NOTICES_A_PAGE).get_page(request.GET.get("page"))
    context = {"study": study, "page": page, "unread": unread_notices(user, study)[:NOTICES_A_PAGE]}
    return render(request, "notices/list.html", context)


@study_view(StudyRole.RESEARCHER)
@require_POST
def read_all(request: HttpRequest, study: Study) -> HttpResponse:
    mark_all_read(study=study, reader=user_of(request), now=timezone.now())
    return redirect("notices:list", slug=study.slug)


@study_view(StudyRole.RESEARCHER)
@require_POST
def read_one(request: HttpRequest, study: Study, notice_id: int) -> HttpResponse:
    """Leads to what the notice is about."""
    notice = get_object_or_404(Notice, study=study, pk=notice_id)
    mark_read(notices=[notice], reader=user_of(request), now=timezone.now())
    return redirect(notice.url) if notice.url else redirect("notices:list", slug=study.slug)
