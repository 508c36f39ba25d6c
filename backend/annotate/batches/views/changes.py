"""What researchers do to a batch that is there; each answers with the batch's page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from backend.annotate.batches import services
from backend.annotate.batches.errors import BatchError
from backend.annotate.batches.forms import DueDateForm, HandOverForm, NameForm, RestoreForm, WithdrawForm
from backend.annotate.batches.models import Batch
from backend.annotate.batches.selectors import batch_of
from backend.core.accounts.access import user_of
from backend.core.accounts.models import User
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole

Change: TypeAlias = Callable[[], str]
MOVES = {
    "pause": (services.pause_batch, "is paused: nobody can go on until you resume it."),
    "resume": (services.resume_batch, "goes on."),
    "close": (services.close_batch, "is closed. Everything done in it stays."),
    "reopen": (services.reopen_batch, "is open again."),
    "discard": (
        services.discard_batch,
        "is being discarded. It is gone as soon as Label Studio is rid of it.",
    ),
    "keep": (services.keep_batch, "is kept as it was."),
}


@study_view(StudyRole.RESEARCHER)
@require_POST
def move(request: HttpRequest, study: Study, batch_id: int, verb: str) -> HttpResponse:
    batch = batch_of(study, batch_id)
    if verb not in MOVES:
        raise Http404("A batch can be paused, resumed, closed, reopened, discarded and kept.")
    service, outcome = MOVES[verb]

    def change() -> str:
        service(batch=batch, actor=user_of(request), now=timezone.now())
        return f"“{batch.name}” {outcome}"

    return _answer(request, batch, change)


@study_view(StudyRole.RESEARCHER)
@require_POST
def due_date(request: HttpRequest, study: Study, batch_id: int) -> HttpResponse:
    batch = batch_of(study, batch_id)
    form = DueDateForm(request.POST)

    def change() -> str:
        due_on = form.cleaned_data["due_on"]
        services.change_due_date(batch=batch, due_on=due_on, actor=user_of(request), now=timezone.now())
        return "The due date is changed." if due_on else "There is no due date any more."

    return _answer(request, batch, change, form)


@study_view(StudyRole.RESEARCHER)
@require_POST
def rename(request: HttpRequest, study: Study, batch_id: int) -> HttpResponse:
    batch = batch_of(study, batch_id)
    form = NameForm(request.POST)

    def change() -> str:
        name = form.cleaned_data["name"]
        services.rename_batch(batch=batch, name=name, actor=user_of(request), now=timezone.now())
        return f"The batch is named “{name}” now. Label Studio follows within a minute."

    return _answer(request, batch, change, form)


@study_view(StudyRole.RESEARCHER)
@require_POST
def reassign(request: HttpRequest, study: Study, batch_id: int) -> HttpResponse:
    batch = batch_of(study, batch_id)
    form = HandOverForm(request.POST, batch=batch)

    def change() -> str:
        moved = services.reassign_items(
            batch=batch,
            annotator=_person(form.cleaned_data["annotator"]),
            to=_people(form.cleaned_data["to"]),
            n=form.cleaned_data["n"],
            actor=user_of(request),
            now=timezone.now(),
        )
        return f"{moved} item{'s' if moved > 1 else ''} changed hands."

    return _answer(request, batch, change, form)


@study_view(StudyRole.RESEARCHER)
@require_POST
def withdraw(request: HttpRequest, study: Study, batch_id: int) -> HttpResponse:
    batch = batch_of(study, batch_id)
    form = WithdrawForm(request.POST, batch=batch)

    def change() -> str:
        annotator = _person(form.cleaned_data["annotator"])
        moved = services.withdraw_annotator(
            batch=batch,
            annotator=annotator,
            hand_over_to=_people(form.cleaned_data.get("to", [])),
            actor=user_of(request),
            now=timezone.now(),
        )
        others = f" {moved} items went to others." if moved else ""
        return f"{annotator} is withdrawn. What they did stays.{others}"

    return _answer(request, batch, change, form)


@study_view(StudyRole.RESEARCHER)
@require_POST
def restore(request: HttpRequest, study: Study, batch_id: int) -> HttpResponse:
    batch = batch_of(study, batch_id)
    form = RestoreForm(request.POST, batch=batch)

    def change() -> str:
        annotator = _person(form.cleaned_data["annotator"])
        services.restore_annotator(
            batch=batch, annotator=annotator, actor=user_of(request), now=timezone.now()
        )
        return f"{annotator} is back in this batch."

    return _answer(request, batch, change, form)


def _answer(
    request: HttpRequest, batch: Batch, change: Change, form: forms.Form | None = None
) -> HttpResponse:
    if form is not None and not form.is_valid():
        for name, problems in form.errors.items():
            messages.error(request, f"{form.fields[name].label}: {' '.join(map(str, problems))}")
    else:
        try:
            messages.success(request, change())
        except BatchError as problem:
            messages.error(request, str(problem))
    return redirect("batches:detail", slug=batch.study.slug, batch_id=batch.pk)


def _person(username: str) -> User:
    return User.objects.get(username=username)


def _people(usernames: list[str]) -> list[User]:
    return list(User.objects.filter(username__in=usernames).order_by("username"))
