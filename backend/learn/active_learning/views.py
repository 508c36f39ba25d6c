"""The page on which researchers see what active learning has gained, and have the next batch chosen."""

from __future__ import annotations

import secrets

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from backend.annotate.batches.errors import BatchError, PlanChanged
from backend.annotate.batches.selectors import next_name
from backend.annotate.batches.services import refuse_opening
from backend.core.accounts.access import user_of
from backend.core.jobs.models import JobState
from backend.core.jobs.selectors import study_jobs
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.design.codebooks.errors import NoCodebook
from backend.learn.active_learning import charts
from backend.learn.active_learning.choosing import ChoicePlan, plan_choice
from backend.learn.active_learning.errors import ActiveError, NotPredicted
from backend.learn.active_learning.forms import ChoiceForm
from backend.learn.active_learning.pool import pool_items
from backend.learn.active_learning.queue import (
    PREDICT_POOL,
    READ_METER,
    request_prediction,
    request_reading,
    waiting_job,
)
from backend.learn.active_learning.selectors import choices_of, latest_reading, pool_state
from backend.learn.active_learning.services import open_chosen_batch
from backend.learn.active_learning.words import (
    advice_headline,
    advice_words,
    look_words,
    savings_headline,
    savings_words,
)
from backend.learn.models.selectors import adapter_in_service
from learning.learning_curves.meter import MeterReading

FIRST_SHOWN = 20
REFUSALS = (ActiveError, BatchError, NoCodebook)


@study_view(StudyRole.RESEARCHER)
@require_GET
def overview(request: HttpRequest, study: Study) -> HttpResponse:
    has_edition = study.editions.exists()
    found = latest_reading(study)
    context: dict[str, object] = {
        "study": study,
        "has_edition": has_edition,
        "pool": pool_state(study) if has_edition else None,
        "choices": choices_of(study),
        "reading_row": found[0] if found else None,
        "reading": found[1] if found else None,
        "meter_job": waiting_job(study, READ_METER),
        "predicting": waiting_job(study, PREDICT_POOL),
    }
    if found:
        context |= _show_reading(found[1])
    return render(request, "active_learning/overview.html", context)


def _show_reading(reading: MeterReading) -> dict[str, object]:
    context: dict[str, object] = {"look_words": look_words(reading.look) if reading.claims_something else ""}
    if reading.savings:
        context |= {
            "savings_headline": savings_headline(reading.savings),
            "savings_words": savings_words(reading.savings),
            "curves_chart": charts.curves_chart(reading.savings),
            "gain_chart": charts.gain_chart(reading.savings),
        }
    if reading.advice:
        context |= {
            "advice_headline": advice_headline(reading.advice),
            "advice_words": advice_words(reading.advice),
        }
    return context


@study_view(StudyRole.RESEARCHER)
@require_http_methods(["GET", "POST"])
def choose(request: HttpRequest, study: Study) -> HttpResponse:
    """Nothing is stored until somebody has seen what is chosen and sends its hash back."""
    adapter = adapter_in_service(study)
    context: dict[str, object] = {
        "study": study,
        "adapter": adapter,
        "has_edition": study.editions.exists(),
        "has_samples": study.samples.exists(),
    }
    if request.method == "GET":
        context["pool_is_empty"] = _pool_is_empty(study)
        initial = {"name": next_name(study), "seed": secrets.randbelow(2**31)}
        context["form"] = ChoiceForm(study=study, has_model=adapter is not None, initial=initial)
        return render(request, "active_learning/choose.html", context)
    form = ChoiceForm(request.POST, study=study, has_model=adapter is not None)
    context["form"] = form
    if form.is_valid():
        try:
            if request.POST.get("predict"):
                return _predict(request, study, form)
            if request.POST.get("seen"):
                return _open(request, study, form)
            context |= _preview(study, form)
        except NotPredicted as problem:
            context |= {"unpredicted": problem}
        except PlanChanged as problem:
            context |= {"problem": str(problem)} | _preview(study, form)
        except REFUSALS as problem:
            context["problem"] = str(problem)
    return render(request, "active_learning/choose.html", context)


def _pool_is_empty(study: Study) -> bool:
    """Whether there are samples, and all their items are taken."""
    names = list(study.samples.values_list("name", flat=True))
    return bool(names) and study.editions.exists() and not pool_items(study, names).exists()


def _predict(request: HttpRequest, study: Study, form: ChoiceForm) -> HttpResponse:
    job = request_prediction(
        study=study, request=form.choice_request(), actor=user_of(request), now=timezone.now()
    )
    return render(
        request,
        "active_learning/choose.html",
        {
            "study": study,
            "adapter": adapter_in_service(study),
            "has_edition": True,
            "has_samples": True,
            "form": form,
            "job": job,
        },
    )


def _open(request: HttpRequest, study: Study, form: ChoiceForm) -> HttpResponse:
    batch = open_chosen_batch(
        study=study,
        request=form.choice_request(),
        actor=user_of(request),
        now=timezone.now(),
        seen=request.POST["seen"],
    )
    messages.success(request, f"“{batch.name}” is open. It reaches Label Studio within a minute.")
    return redirect("batches:detail", slug=study.slug, batch_id=batch.pk)


def _preview(study: Study, form: ChoiceForm) -> dict[str, object]:
    asked, now = form.choice_request(), timezone.now()
    refuse_opening(study=study, request=asked.batch_request([]), now=now)
    plan = plan_choice(study=study, request=asked, now=now)
    return {"plan": plan, "first": _first(study, plan)}


def _first(study: Study, plan: ChoicePlan) -> list[dict[str, object]]:
    """The items that the strategy wants most, so that one sees what it is after."""
    chosen = plan.first_of_strategy[:FIRST_SHOWN]
    items = {item.item_id: item for item in plan.candidates.items}
    return [
        {"item": items[one.item_id], "score": one.score, "minutes": plan.costs[one.item_id]} for one in chosen
    ]


@study_view(StudyRole.RESEARCHER)
@require_POST
def read_meter(request: HttpRequest, study: Study) -> HttpResponse:
    request_reading(study=study, actor=user_of(request), now=timezone.now())
    return redirect("active_learning:overview", slug=study.slug)


@study_view(StudyRole.RESEARCHER)
@require_GET
def progress(request: HttpRequest, study: Study, job_id: int) -> HttpResponse:
    """The live part of a page; once it is done, the browser looks at the page again."""
    job = study_jobs(study.pk).filter(pk=job_id, kind__in=(PREDICT_POOL, READ_METER)).first()
    if job is None:
        raise Http404("This study has no such job.")
    answer = render(request, "active_learning/_job.html", {"study": study, "job": job})
    if job.state == JobState.DONE and job.kind == READ_METER:
        answer["HX-Redirect"] = reverse("active_learning:overview", args=[study.slug])
    return answer
