"""The documentation under /docs: the files that `make docs` built, or a page that says how to build them.

It holds nothing of an instance, so that it can be read before log-in, when one may need it most.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import SuspiciousFileOperation
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe
from django.views.static import serve

FRONT = "index.html"


@login_not_required
@require_safe
def front(request: HttpRequest) -> HttpResponse:
    """Pages name each other by their files, so that the first one is led to by its file too."""
    return redirect("web:documentation_file", FRONT)


@login_not_required
@require_safe
def serve_file(request: HttpRequest, file: str) -> HttpResponseBase:
    if not (settings.DOCS_DIR / FRONT).is_file():
        return render(request, "web/documentation_missing.html", status=404)
    try:
        return serve(request, file, document_root=str(settings.DOCS_DIR))
    except SuspiciousFileOperation as outside:
        raise Http404(file) from outside
