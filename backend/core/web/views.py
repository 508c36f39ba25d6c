"""Pages that belong to no study: whether the instance is well, and how its pages look."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.core.paginator import Paginator
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from backend.core.web.style_figures import example_figures
from backend.core.web.style_page import EXAMPLE_COMMUNITIES, ExampleForm, example_charts


@login_not_required
@never_cache
@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """200 when the database answers and 503 when it does not, for process managers and load balancers."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            cursor.fetchone()
    except DatabaseError:
        return JsonResponse({"status": "no database", "database": False}, status=503)
    return JsonResponse({"status": "ok", "database": True})


@require_safe
def style(request: HttpRequest) -> HttpResponse:
    """Every component once, so that a change to the look can be seen in one place."""
    wrong = ExampleForm({"name": "", "size": "-3", "design": "weighted"})
    context = {
        "charts": example_charts(),
        "figures": example_figures(),
        "communities": EXAMPLE_COMMUNITIES,
        "form": ExampleForm(),
        "wrong_form": wrong,
        "page": Paginator(range(1, 943), 25).get_page(request.GET.get("page", 7)),
        "digest": "sha256:4f1c0a9be27d835516f0c2d94a7e3b6881c5d2f09a4e7b13c8d6f5a2b9e0174c",
    }
    return render(request, "web/style.html", context)
