"""Pages that list what is to be settled and what is, and the page on which a study says how it adjudicates."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_http_methods

from backend.annotate.discussions.selectors import codes_of_study
from backend.core.accounts.access import user_of
from backend.core.accounts.models import User
from backend.core.studies.access import study_view
from backend.core.studies.models import RESEARCHING, Study, StudyRole
from backend.core.web.addresses import whole_number
from backend.decide.adjudication.choosing import (
    LABELS,
    choice_from,
    choice_parameters,
    read_counts,
    read_queue,
)
from backend.decide.adjudication.errors import AdjudicationError
from backend.decide.adjudication.forms import PlanForm
from backend.decide.adjudication.history import hourly_pace, last_decision_of
from backend.decide.adjudication.models import Decision
from backend.decide.adjudication.plan_services import change_plan
from backend.decide.adjudication.queue import Entry, Queue, QueueCounts, settled_items
from backend.decide.adjudication.rounds import rounds_agreement
from backend.decide.adjudication.selectors import plan_of
from backend.design.codebooks.selectors import latest_edition
from backend.design.samples.models import Item

ITEMS_A_PAGE = 50


@study_view(StudyRole.RESEARCHER)
@require_GET
def queue(request: HttpRequest, study: Study) -> HttpResponse:
    if latest_edition(study) is None:
        return render(request, "adjudication/no_codebook.html", {"study": study})
    user, choice = user_of(request), choice_from(request.GET)
    waiting = read_queue(request, user, study)
    chosen = waiting.chosen(choice)
    page = Paginator(chosen, ITEMS_A_PAGE).get_page(request.GET.get("page"))
    first = Item.objects.filter(pk=chosen[0].item_pk).first() if chosen else None
    context = {
        "study": study,
        "choice": choice,
        "address": urlencode(choice_parameters(choice)),
        "page": page,
        "rows": _rows(study, list(page)),
        "first": first,
        "last": last_decision_of(user, study),
        "saved": whole_number(request.GET.get("saved"), default=0),
    }
    return render(
        request, "adjudication/queue.html", context | _frame(study, user, waiting) | _filters(study, waiting)
    )


@study_view(StudyRole.RESEARCHER)
@require_GET
def counting_state(request: HttpRequest, study: Study) -> HttpResponse:
    """Nothing (204) while the queue is being counted again; then the page is to be loaded anew."""
    if read_counts(request, user_of(request), study).is_counting:
        return HttpResponse(status=204)
    return HttpResponse(headers={"HX-Refresh": "true"})


def _rows(study: Study, entries: Sequence[Entry]) -> list[dict[str, object]]:
    items = Item.objects.in_bulk([entry.item_pk for entry in entries])
    people = User.objects.in_bulk({pk for entry in entries for pk in entry.annotators})
    batches = dict(study.batches.values_list("pk", "name"))
    codes = codes_of_study(study)
    return [
        {
            "entry": entry,
            "item": items[entry.item_pk],
            "reasons": [(LABELS[reason], reason, n) for reason, n in entry.points.items()],
            "codes": [code for code in codes if code.id in entry.codes],
            "annotators": [people[pk] for pk in sorted(entry.annotators)],
            "batches": [batches[pk] for pk in sorted(entry.batches)],
        }
        for entry in entries
    ]


def _frame(study: Study, user: User, counts: QueueCounts) -> dict[str, object]:
    note = f"{counts.settled:,} of {counts.total:,}"
    return {"queue": counts, "settled_note": note, "pace": hourly_pace(user, study)}


def _filters(study: Study, waiting: Queue) -> dict[str, object]:
    annotators = {pk for entry in waiting.entries for pk in entry.annotators}
    batches = {pk for entry in waiting.entries for pk in entry.batches}
    return {
        "reasons": [(reason.value, LABELS[reason], n) for reason, n in waiting.counts().items() if n],
        "batches": study.batches.filter(pk__in=batches),
        "annotators": User.objects.filter(pk__in=annotators).order_by("username"),
        "codes": codes_of_study(study),
    }


@study_view(StudyRole.RESEARCHER)
@require_GET
def settled(request: HttpRequest, study: Study) -> HttpResponse:
    """Final decisions, latest first; one that something new has reopened is in the queue instead."""
    user = user_of(request)
    counts = read_counts(request, user, study)
    page = Paginator(settled_items(study, user), ITEMS_A_PAGE).get_page(request.GET.get("page"))
    found = Decision.objects.select_related("item", "author", "accepted_from").in_bulk(
        [row.final_id for row in page if row.final_id]
    )
    agreement = rounds_agreement(study)
    context = {
        "study": study,
        "page": page,
        "decisions": [found[row.final_id] for row in page if row.final_id],
        "agreement": agreement,
        "kappa": "" if agreement.kappa is None else f"{agreement.kappa:.2f}",
        "agreement_note": f"{agreement.equal:,} of {agreement.codes:,}, evidence aside",
    }
    return render(request, "adjudication/settled.html", context | _frame(study, user, counts))


@study_view(StudyRole.RESEARCHER)
@require_http_methods(["GET", "POST"])
def plan(request: HttpRequest, study: Study) -> HttpResponse:
    stands = plan_of(study)
    initial = {name: getattr(stands, name) for name in ("evidence_threshold", "second_share", "seed")}
    form = PlanForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            change_plan(study=study, actor=user_of(request), now=timezone.now(), **form.cleaned_data)
        except AdjudicationError as problem:
            form.add_error(None, str(problem))
        else:
            messages.success(request, "Saved. The queue follows it.")
            return redirect("adjudication:queue", slug=study.slug)
    researchers = study.memberships.filter(role__in=RESEARCHING).count()
    context = {"study": study, "form": form, "plan": stands, "researchers": researchers}
    return render(request, "adjudication/settings.html", context)
