"""The page of one item, where researchers settle what annotators disagree on."""

from __future__ import annotations

from datetime import datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

from backend.annotate.discussions.models import Discussion
from backend.annotate.discussions.selectors import flagged_by
from backend.annotate.judgments.models import Quarantined
from backend.core.accounts.access import user_of
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.core.web.addresses import whole_number
from backend.decide.adjudication.choosing import (
    LABELS,
    Place,
    choice_from,
    choice_parameters,
    place_of,
    read_queue,
)
from backend.decide.adjudication.errors import (
    AdjudicationError,
    ChangedMeanwhile,
    DecidedMeanwhile,
    DecisionRefused,
)
from backend.decide.adjudication.forms import DecisionForm
from backend.decide.adjudication.history import history, last_decision_of
from backend.decide.adjudication.models import Decision, DecisionRound
from backend.decide.adjudication.queue import Choice, Entry, Queue
from backend.decide.adjudication.selectors import open_suspicions
from backend.decide.adjudication.services import decide
from backend.decide.adjudication.settling import unsettled_discussions
from backend.decide.adjudication.suspicion_words import in_words
from backend.decide.adjudication.workspace import Workspace, workspace_for
from backend.decide.hooks import model_opinion
from backend.design.codebooks.selectors import latest_edition
from backend.design.samples.models import Item
from backend.design.samples.selectors import item_of


@study_view(StudyRole.RESEARCHER)
@require_http_methods(["GET", "POST"])
def item(request: HttpRequest, study: Study, item_id: str) -> HttpResponse:
    found, edition = item_of(study, item_id), latest_edition(study)
    if edition is None:
        return redirect("adjudication:queue", slug=study.slug)
    found.study = study
    user, choice = user_of(request), choice_from(request.GET)
    waiting, opened_at = read_queue(request, user, study), timezone.now()
    place = place_of(found.pk, waiting.chosen(choice))
    workspace = workspace_for(found, user, edition)
    form = workspace.form(request.POST if request.method == "POST" else None)
    conflict: DecidedMeanwhile | ChangedMeanwhile | None = None
    if request.method == "POST":
        try:
            decision = _save(workspace, form)
        except (DecidedMeanwhile, ChangedMeanwhile) as problem:
            conflict, opened_at = problem, timezone.now()
            workspace = workspace_for(found, user, edition)
        else:
            if decision is not None:
                _tell_of_open_flags(request, found)
                return _go_on(study, place, choice, decision)
    context = _context(request, workspace, form, conflict) | _around(workspace, waiting, place, choice)
    context |= _shown(workspace, form, opened_at, is_told=conflict is not None)
    context["opinion"] = next((opinion for opinion in model_opinion(found) if opinion), None)
    return render(request, "adjudication/item.html", context)


def _save(workspace: Workspace, form: DecisionForm) -> Decision | None:
    """None if the form has to be shown again, with what is wrong beside each code."""
    if not form.is_valid():
        return None
    draft = form.draft(workspace.takeable)
    if form.problems:
        return None
    try:
        return decide(
            item=workspace.item,
            draft=draft,
            actor=workspace.user,
            decision_round=form.cleaned_data["decision_round"],
            expected_number=form.cleaned_data["expected_number"],
            seen=form.seen(),
            now=timezone.now(),
        )
    except DecisionRefused as refusal:
        form.add_problems(refusal.problems)
    except (DecidedMeanwhile, ChangedMeanwhile):
        raise
    except AdjudicationError as problem:
        form.add_error(None, str(problem))
    return None


def _tell_of_open_flags(request: HttpRequest, item: Item) -> None:
    if people := flagged_by(item):
        what = f"“{item.title or item.item_id}”"
        whose = (
            f"The flag of {people[0]} on {what} is"
            if len(people) == 1
            else f"{len(people)} flags on {what} are"
        )
        messages.warning(
            request,
            f"{whose} still open. The item stays in the queue and out of releases until that is settled: do it under "
            "Discussions, or save the item again with “Also settle the discussion”.",
        )


def _go_on(study: Study, place: Place, choice: Choice, decision: Decision) -> HttpResponse:
    """To the next item at once; what was saved can be undone from there."""
    following = Item.objects.filter(pk=place.next_pk or 0).values_list("item_id", flat=True).first()
    address = (
        reverse("adjudication:item", args=[study.slug, following])
        if following
        else reverse("adjudication:queue", args=[study.slug])
    )
    return redirect(f"{address}?{urlencode(choice_parameters(choice) | {'saved': str(decision.pk)})}")


def _shown(
    workspace: Workspace, form: DecisionForm, opened_at: datetime, *, is_told: bool
) -> dict[str, object]:
    """What the page remembers. A form that is shown again keeps what it saw first, unless its writer was told of
    something newer."""
    now = {
        "decision_round": workspace.decision_round,
        "expected_number": workspace.expected_number,
        "judgments_hash": workspace.candidates.judgments_hash,
        "edition": workspace.edition.number,
        "opened_at": opened_at.isoformat(),
    }
    is_kept = form.is_bound and not is_told
    return {name: form[name].value() if is_kept else value for name, value in now.items()}


def _context(
    request: HttpRequest,
    workspace: Workspace,
    form: DecisionForm,
    conflict: DecidedMeanwhile | ChangedMeanwhile | None,
) -> dict[str, object]:
    decided = conflict if isinstance(conflict, DecidedMeanwhile) else None
    columns = workspace.columns(decided.theirs if decided and not decided.is_blind else None)
    rows = workspace.rows(form, columns)
    return {
        "study": workspace.item.study,
        "item": workspace.item,
        "workspace": workspace,
        "form": form,
        "conflict": decided,
        "changed": conflict if isinstance(conflict, ChangedMeanwhile) else None,
        "columns": columns,
        "rows": rows,
        "open_rows": [row for row in rows if row.is_open],
        "agreed_rows": [row for row in rows if not row.is_open],
        "texts": workspace.texts(form, columns),
        "is_second": workspace.decision_round is DecisionRound.SECOND,
        "is_reconciling": workspace.decision_round is DecisionRound.RECONCILING,
        "last": last_decision_of(workspace.user, workspace.item.study),
        "saved": whole_number(request.GET.get("saved"), default=0),
        "claimed_way": form["way"].value() or "",
        "claimed_from": form["accepted_from"].value() or "",
    }


def _around(workspace: Workspace, waiting: Queue, place: Place, choice: Choice) -> dict[str, object]:
    """What stands beside the answers: why the item is here, what was said and decided about it, what comes next."""
    found, codebook = workspace.item, workspace.candidates.codebook
    entry: Entry | None = next((entry for entry in waiting.entries if entry.item_pk == found.pk), None)
    neighbours = Item.objects.in_bulk([pk for pk in (place.next_pk, place.previous_pk) if pk])
    discussions = (
        Discussion.objects.filter(assigned_item__item=found)
        .select_related("assigned_item__assignment__annotator", "settled_by")
        .prefetch_related("messages__author")
    )
    quarantined = Quarantined.objects.filter(assigned_item__item=found, assigned_item__submission=None)
    return {
        "queue": waiting,
        "place": place,
        "address": urlencode(choice_parameters(choice)),
        "reasons": [(LABELS[reason], reason) for reason in entry.points] if entry else [],
        "next": neighbours.get(place.next_pk or 0),
        "previous": neighbours.get(place.previous_pk or 0),
        "discussions": discussions,
        "unsettled": unsettled_discussions(found),
        "quarantined": quarantined.select_related("assigned_item__assignment__annotator"),
        "suspicions": in_words(
            [
                row
                for row in open_suspicions(found.study).filter(item=found)
                if workspace.standing.leaves_open(row.found_at)
            ],
            codebook,
        ),
        "history": history(found, workspace.user, standing=workspace.standing),
    }
