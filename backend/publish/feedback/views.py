"""The page on which a member pastes a post and a reply and reads what the model in service says."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from backend.core.accounts.access import user_of
from backend.core.studies.access import role_in, study_view
from backend.core.studies.models import Study, StudyRole
from backend.learn.models.selectors import adapter_in_service
from backend.publish.feedback.errors import FeedbackError
from backend.publish.feedback.forms import TextsForm
from backend.publish.feedback.reading import read_texts
from backend.publish.feedback.rows import page_of


@sensitive_post_parameters()
@never_cache
@study_view(StudyRole.ANNOTATOR)
@require_http_methods(["GET", "POST"])
def page(request: HttpRequest, study: Study) -> HttpResponse:
    """The answer to a form is the page itself: a redirect would have to keep the texts somewhere."""
    form = TextsForm(request.POST) if request.method == "POST" else TextsForm()
    context: dict[str, object] = {
        "study": study,
        "form": form,
        "adapter": adapter_in_service(study),
        "is_researcher": role_in(user_of(request), study) == StudyRole.RESEARCHER,
    }
    status = 200
    if request.method == "POST":
        if form.is_valid():
            try:
                context["read"] = page_of(read_texts(study=study, asked=form.asked(), user=user_of(request)))
            except FeedbackError as problem:
                context["problem"], status = str(problem), 422
        else:
            status = 400
    return render(request, "feedback/page.html", context, status=status)
