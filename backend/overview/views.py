"""The list of studies, and how far one of them is."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from backend.annotate.batches.models import BatchState
from backend.core.accounts.access import user_of
from backend.core.notices.selectors import unread_notices
from backend.core.studies.access import role_in, study_view
from backend.core.studies.models import Study, StudyRole
from backend.core.studies.selectors import recent_events
from backend.decide.adjudication.choosing import read_counts
from backend.decide.agreement.verdicts import study_headline
from backend.overview.selectors import study_cards
from backend.overview.steps import steps_of

NOTICES_SHOWN = 3


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    return render(request, "overview/home.html", {"cards": study_cards(user_of(request))})


@study_view(StudyRole.ANNOTATOR)
@require_GET
def study(request: HttpRequest, study: Study) -> HttpResponse:
    """A researcher's start; annotators are led to their work."""
    user = user_of(request)
    if role_in(user, study) != StudyRole.RESEARCHER:
        return redirect("batches:work", slug=study.slug)
    headline, queue = study_headline(study), read_counts(request, user, study)
    context = {
        "study": study,
        "steps": steps_of(study, headline, queue),
        "edition": study.editions.first(),
        "corpora": study.corpora.all(),
        "samples": study.samples.all(),
        "open_batches": study.batches.filter(state__in=[BatchState.OPEN, BatchState.PAUSED]).count(),
        "batch_count": study.batches.count(),
        "item_count": study.items.exclude(draws=None).count(),
        "headline": headline,
        "queue": queue,
        "release": study.releases.first(),
        "unread": unread_notices(user, study)[:NOTICES_SHOWN],
        "events": recent_events(study),
    }
    return render(request, "overview/study.html", context)
