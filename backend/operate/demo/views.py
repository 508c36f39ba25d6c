"""How far the making of the demo is, and the button that makes it anew."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from backend.core.accounts.access import user_of
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.operate.demo.frame import frame_of
from backend.operate.demo.story.resetting import request_reset


@study_view(StudyRole.ANNOTATOR)
@require_GET
def progress(request: HttpRequest, study: Study) -> HttpResponse:
    """Of a study that is no demo, or none any more, there is nothing to say."""
    found = frame_of(study, user_of(request))
    return render(request, "demo/progress.html", {"demo": found}) if found else HttpResponse(status=204)


@study_view(StudyRole.RESEARCHER)
@require_POST
def reset(request: HttpRequest, study: Study) -> HttpResponse:
    found = frame_of(study, user_of(request))
    if found is None:
        raise Http404("This study is no demo.")
    request_reset(story=found.story, actor=user_of(request), now=timezone.now())
    messages.success(request, "The demo is being reset. It is whole again in about two minutes.")
    return redirect("overview:study", slug=study.slug)
