"""Reads the owner's requests: the token, the method and a JSON object with the fields it must have."""

import functools
import json

from django.http import Http404, JsonResponse

from attune_access.owner import holds_owner_token


class BadRequest(Exception):
    """The request cannot be carried out; its text is the answer."""


def owner_only(*methods: str):
    """Lets a view see only requests with the owner's token, in one of these methods."""

    def decorate(view):
        @functools.wraps(view)
        def guarded(request, *args, **kwargs):
            if not holds_owner_token(request):
                return JsonResponse({"detail": "Only with the owner's token."}, status=401)
            if request.method not in methods:
                return JsonResponse({"detail": f"Use {' or '.join(methods)}."}, status=405)
            try:
                return view(request, *args, **kwargs)
            except BadRequest as problem:
                return JsonResponse({"detail": str(problem)}, status=400)
            except Http404:
                return JsonResponse({"detail": "There is no such project."}, status=404)

        return guarded

    return decorate


def json_object(request) -> dict:
    try:
        body = json.loads(request.body)
    except ValueError:
        raise BadRequest("The body is not JSON.") from None
    if not isinstance(body, dict):
        raise BadRequest("The body is not a JSON object.")
    return body


def field(body: dict, name: str, kind: type):
    """The value of a field that must be there, exactly of this type (true is no number)."""
    value = body.get(name)
    if type(value) is not kind:
        raise BadRequest(f"“{name}” must be there, as {kind.__name__}.")
    return value


def text(body: dict, name: str, longest: int) -> str:
    value = field(body, name, str)
    if len(value) > longest:
        raise BadRequest(f"“{name}” is longer than {longest} characters.")
    return value
