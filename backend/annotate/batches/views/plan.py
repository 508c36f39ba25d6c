"""The page that shows who would get what, and opens exactly that."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from backend.annotate.batches import services
from backend.annotate.batches.errors import BatchError, PlanChanged
from backend.annotate.batches.forms import FIELDS_OF_KIND, PlanForm
from backend.annotate.batches.models import BatchKind
from backend.annotate.batches.planning import plan_batch
from backend.annotate.batches.plans import BatchPlan
from backend.annotate.batches.selectors import next_name
from backend.core.accounts.access import user_of
from backend.core.accounts.models import User
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.design.codebooks.errors import NoCodebook
from backend.design.samples.models import Item

ITEMS_SHOWN = 200
KINDS = (
    (
        BatchKind.PRACTICE,
        "The items with gold answers, to everybody. After each, annotators see what matched.",
    ),
    (BatchKind.OVERLAP, "The same items to everybody, so that you can see how far they agree."),
    (
        BatchKind.ADAPTIVE,
        "Each item starts with one or two annotators, and somebody else is asked only where their answers leave it "
        "open. It costs fewer answers than asking three about everything; how many is known in the end.",
    ),
    (BatchKind.MAIN, "Disjoint shares of items that no batch has had: most judgments for the time spent."),
    (
        BatchKind.RECHECK,
        "Some of each annotator’s own earlier items again, to see whether they drift. Nobody is told: to "
        "annotators it looks like any other batch.",
    ),
)


@dataclass(frozen=True, slots=True)
class ShownShare:
    """A share with the words by which people know its items."""

    annotator: User
    n_items: int
    items: list[Item]

    @property
    def not_shown(self) -> int:
        return self.n_items - len(self.items)


@study_view(StudyRole.RESEARCHER)
@require_http_methods(["GET", "POST"])
def plan(request: HttpRequest, study: Study) -> HttpResponse:
    """Nothing is stored until somebody has seen a plan and sends its hash back."""
    kind = _kind(request)
    context: dict[str, object] = {
        "study": study,
        "kind": kind,
        "kinds": KINDS,
        "help": dict(KINDS)[kind],
        "has_edition": study.editions.exists(),
    }
    if request.method == "GET":
        initial = {"name": next_name(study), "seed": secrets.randbelow(2**31)}
        context["form"] = PlanForm(study=study, kind=kind, initial=initial)
        return render(request, "batches/plan.html", context)
    form = PlanForm(request.POST, study=study, kind=kind)
    context["form"] = form
    if form.is_valid():
        try:
            if request.POST.get("seen"):
                return _open(request, study, form)
            context |= _context(study, form)
        except PlanChanged as problem:
            context |= {"problem": str(problem)} | _as_shown(study, problem.plan)
        except (BatchError, NoCodebook) as problem:
            context["problem"] = str(problem)
    return render(request, "batches/plan.html", context)


def _kind(request: HttpRequest) -> BatchKind:
    asked = request.GET.get("kind", "")
    return BatchKind(asked) if asked in FIELDS_OF_KIND else BatchKind.OVERLAP


def _open(request: HttpRequest, study: Study, form: PlanForm) -> HttpResponse:
    batch = services.open_batch(
        study=study,
        request=form.batch_request(),
        actor=user_of(request),
        now=timezone.now(),
        seen=request.POST["seen"],
    )
    messages.success(request, f"“{batch.name}” is open. It reaches Label Studio within a minute.")
    return redirect("batches:detail", slug=study.slug, batch_id=batch.pk)


def _context(study: Study, form: PlanForm) -> dict[str, object]:
    asked, now = form.batch_request(), timezone.now()
    services.refuse_opening(study=study, request=asked, now=now)
    found = plan_batch(study=study, request=asked, now=now)
    return _as_shown(study, found)


def _as_shown(study: Study, found: BatchPlan) -> dict[str, object]:
    return {"plan": found, "shares": _shares(study, found)}


def _shares(study: Study, found: BatchPlan) -> list[ShownShare]:
    shown = {share.annotator.pk: share.items[:ITEMS_SHOWN] for share in found.shares}
    keys = {key for items in shown.values() for key in items}
    items = {item.item_id: item for item in study.items.filter(item_id__in=keys).defer("reply_text")}
    return [
        ShownShare(
            annotator=share.annotator,
            n_items=len(share.items),
            items=[items[key] for key in shown[share.annotator.pk]],
        )
        for share in found.shares
    ]
