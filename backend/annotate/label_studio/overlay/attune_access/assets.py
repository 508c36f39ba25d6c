"""Serves the access app's own style and script: Label Studio's static files are a finished build."""

from pathlib import Path

from django.http import Http404, HttpResponse
from django.views.decorators.cache import cache_control

_FOLDER = Path(__file__).parent / "assets"
_KINDS = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}
_FILES = {path.name: path for path in _FOLDER.iterdir() if path.suffix in _KINDS}


@cache_control(public=True, max_age=300)
def asset(request, name: str) -> HttpResponse:
    path = _FILES.get(name)
    if path is None:
        raise Http404
    return HttpResponse(path.read_bytes(), content_type=_KINDS[path.suffix])
