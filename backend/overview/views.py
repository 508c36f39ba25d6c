"""The list of studies, and how far one of them is."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from backend.annotate.batches.progress import batches_at_work
from backend.core.accounts.access import user_of
from backend.core.notices.selectors import unread_notices
from backend.core.studies.access import role_in, studies_of, study_view
from backend.core.studies.models import Study, StudyRole
from backend.core.studies.selectors import recent_events
from backend.decide.adjudication.choosing import read_counts
from backend.decide.agreement.verdicts import study_headline
from backend.learn.models.selectors import adapter_in_service
from backend.overview.charts import agreement_chart, model_chart
from backend.overview.next_action import next_action
from backend.overview.selectors import study_cards
from backend.overview.steps import steps_of
from backend.overview.waiting import waiting_for_person
from backend.publish.labelling.selectors import finished_runs

NOTICES_SHOWN = 3
BATCHES_SHOWN = 5


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    user, archived = user_of(request), request.GET.get("archived") == "1"
    context = {
        "cards": study_cards(user, archived=archived),
        "waiting": [] if archived else waiting_for_person(user),
        "archived": archived,
        "n_archived": studies_of(user).exclude(archived_at=None).count(),
    }
    return render(request, "overview/home.html", context)


@study_view(StudyRole.ANNOTATOR)
@require_GET
def study(request: HttpRequest, study: Study) -> HttpResponse:
    """A researcher's start; annotators are led to their work."""
    user = user_of(request)
    if role_in(user, study) != StudyRole.RESEARCHER:
        return redirect("batches:work", slug=study.slug)
    headline, queue = study_headline(study), read_counts(request, user, study)
    steps = steps_of(study, headline, queue)
    at_work = batches_at_work(study)
    context = {
        "study": study,
        "steps": steps,
        "next": next_action(study, steps, headline, queue),
        "at_work": at_work[:BATCHES_SHOWN],
        "charts": [chart for chart in (agreement_chart(study), model_chart(study)) if chart],
        "edition": study.editions.first(),
        "corpora": study.corpora.all(),
        "samples": study.samples.all(),
        "open_batches": len(at_work),
        "batch_count": study.batches.count(),
        "item_count": study.items.exclude(draws=None).count(),
        "headline": headline,
        "queue": queue,
        "release": study.releases.first(),
        "model": adapter_in_service(study),
        "model_count": study.adapters.count(),
        "labelling": finished_runs(study).first(),
        "report": study.reports.first(),
        "unread": unread_notices(user, study)[:NOTICES_SHOWN],
        "events": recent_events(study),
    }
    return render(request, "overview/study.html", context)
