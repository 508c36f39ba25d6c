"""Says on the page what is wrong with a release's files, where a page cannot be made of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect

from backend.core.studies.models import Study
from backend.decide.releases.errors import ReleaseError

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, Study, P], HttpResponseBase]


def explain_refusals(view: View[P]) -> Callable[..., HttpResponseBase]:
    """Leads back to the list, which needs no files."""

    @wraps(view)
    def wrapped(request: HttpRequest, study: Study, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        try:
            return view(request, study, *args, **kwargs)
        except ReleaseError as problem:
            messages.error(request, str(problem))
            return redirect("releases:list", slug=study.slug)

    return wrapped
