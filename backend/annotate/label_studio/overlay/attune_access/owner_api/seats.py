"""Gives a project its one annotator, opens and closes it, and takes the seat away."""

from urllib.parse import urlsplit

from django.contrib.auth import get_user_model
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from projects.models import Project

from attune_access.models import Seat
from attune_access.owner import is_owner
from attune_access.owner_api.requests import BadRequest, field, json_object, owner_only, text


@owner_only("PUT", "DELETE")
def seat(request, project_id: int):
    project = get_object_or_404(Project, pk=project_id)
    if request.method == "DELETE":
        Seat.objects.filter(project=project).delete()
        return HttpResponse(status=204)
    body = json_object(request)
    put_seat(
        project=project,
        account_id=field(body, "annotator", int),
        is_open=field(body, "open", bool),
        return_url=_web_address(text(body, "return_url", longest=2000)),
        heading=text(body, "heading", longest=300),
    )
    return JsonResponse({name: body[name] for name in ("annotator", "open", "return_url", "heading")})


def put_seat(*, project, account_id: int, is_open: bool, return_url: str, heading: str) -> None:
    user = get_user_model().objects.filter(pk=account_id).first()
    if user is None or is_owner(user):
        raise BadRequest(f"Account {account_id} is not an annotator's.")
    Seat.objects.update_or_create(
        project=project,
        defaults={"user": user, "is_open": is_open, "return_url": return_url, "heading": heading},
    )


def _web_address(url: str) -> str:
    """It becomes a link on the annotator's pages, so it must not be a script."""
    if url and urlsplit(url).scheme not in ("http", "https"):
        raise BadRequest("“return_url” must begin with http:// or https://.")
    return url
