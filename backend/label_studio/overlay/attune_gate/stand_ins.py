"""Answers given in Label Studio's place, where its own would name other people or other work."""

from core.utils.common import load_func
from data_manager.models import View
from django.conf import settings
from django.http import HttpResponse, HttpResponseRedirect, JsonResponse
from label_studio import __version__
from projects.models import Project
from users.serializers import UserSerializer

_PEOPLE = ("annotators", "updated_by")
# As the page itself would make it. Were it missing, the page would ask to write one.
_DEFAULT_VIEW = {
    "title": "Default",
    "type": "list",
    "target": "tasks",
    "hiddenColumns": {"explore": [], "labeling": []},
}


def only_labelling(errand, place) -> HttpResponse | None:
    """The list of tasks has nothing to offer: without an item asked for, the page is the stream of items."""
    if errand.request.GET.keys() & {"labeling", "task"}:
        return None
    return HttpResponseRedirect(f"/projects/{place.project_id}/data?labeling=1")


def version(errand, place) -> HttpResponse:
    return JsonResponse({"release": __version__})


def users(errand, place) -> HttpResponse:
    """Nobody but oneself."""
    return JsonResponse(UserSerializer([errand.user], many=True).data, safe=False)


def empty_list(errand, place) -> HttpResponse:
    return JsonResponse([], safe=False)


def empty_page(errand, place) -> HttpResponse:
    return JsonResponse({"count": 0, "next": None, "previous": None, "results": []})


def columns(errand, place) -> HttpResponse:
    """Label Studio's own, without the accounts of all who work here."""
    project = Project.objects.get(pk=place.project_id)
    described = load_func(settings.DATA_MANAGER_GET_ALL_COLUMNS)(project, errand.user)
    for column in described["columns"]:
        if column["id"] in _PEOPLE:
            column["schema"] = {"items": [errand.user.pk]}
    return JsonResponse(described)


def default_view(errand, place) -> None:
    """Label Studio answers itself, once there is something to answer."""
    if not View.objects.filter(project_id=place.project_id).exists():
        View.objects.create(project_id=place.project_id, user=errand.user, data=_DEFAULT_VIEW)
