"""What is done to gold that stands: deleted, restored from its history, carried over to the edition in force."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from backend.annotate.practice import selectors, services
from backend.annotate.practice.errors import PracticeError
from backend.core.accounts.access import user_of
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.design.codebooks.errors import NoCodebook
from backend.design.codebooks.selectors import edition_in_force
from backend.design.samples.selectors import item_of


@study_view(StudyRole.RESEARCHER)
@require_POST
def delete_gold(request: HttpRequest, study: Study, item_id: str) -> HttpResponse:
    """Answers with the item's page, where the history can give it back."""
    item = item_of(study, item_id)
    try:
        edition = edition_in_force(study)
        services.delete_gold(item=item, edition=edition, actor=user_of(request), now=timezone.now())
        messages.success(request, "The gold answer is deleted. The item stays; the history can give it back.")
    except (PracticeError, NoCodebook) as problem:
        messages.error(request, str(problem))
    return redirect("practice:edit_gold", slug=study.slug, item_id=item.item_id)


@study_view(StudyRole.RESEARCHER)
@require_POST
def restore_gold(request: HttpRequest, study: Study, item_id: str, gold_id: int) -> HttpResponse:
    item = item_of(study, item_id)
    gold = selectors.past_gold(item, gold_id)
    try:
        services.restore_gold(gold=gold, actor=user_of(request), now=timezone.now())
        messages.success(request, "The earlier gold answer stands again.")
    except PracticeError as problem:
        messages.error(request, str(problem))
    return redirect("practice:edit_gold", slug=study.slug, item_id=item.item_id)


@study_view(StudyRole.RESEARCHER)
@require_POST
def carry_over(request: HttpRequest, study: Study) -> HttpResponse:
    """One item's gold if the form names it, else all that can be carried over."""
    now, actor = timezone.now(), user_of(request)
    try:
        edition = edition_in_force(study)
        if item_id := request.POST.get("item"):
            item = item_of(study, item_id)
            services.carry_over(item=item, edition=edition, actor=actor, now=now)
            messages.success(request, f"The gold answer now stands under edition {edition.number}.")
        else:
            carried = services.carry_over_all(study=study, edition=edition, actor=actor, now=now)
            messages.success(request, f"Carried over to edition {edition.number}: {carried.items}.")
            if carried.left:
                messages.warning(
                    request, f"Left for you to complete: {len(carried.left)}. The codebook asks more now."
                )
    except (PracticeError, NoCodebook) as problem:
        messages.error(request, f"It cannot be carried over as it is. {problem} Open it and complete it.")
    return redirect("practice:gold", slug=study.slug)
