"""Answers given in Label Studio's place, where its own would name other people or other work."""

from core.utils.common import load_func
from django.conf import settings
from django.http import HttpResponse, HttpResponseRedirect, JsonResponse
from label_studio import __version__
from projects.models import Project
from users.serializers import UserSerializer

_PEOPLE = ("annotators", "updated_by")
_MODELS = "predictions_model_versions"
# What the page is told about its one tab. No row stands behind it, so no tab of the owner's has a say here.
PLAIN_VIEW_ID = 1
# As the page itself would make it. Were it missing, the page would ask to write one.
_PLAIN_VIEW = {
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
    """The page breaks without the package and without a time, so it is told that there is nothing newer."""
    package = {
        "version": __version__,
        "latest_version_from_pypi": __version__,
        "latest_version_upload_time": None,
        "current_version_is_outdated": False,
    }
    return JsonResponse({"release": __version__, "label-studio-os-package": package})


def users(errand, place) -> HttpResponse:
    """Nobody but oneself."""
    return JsonResponse(UserSerializer([errand.user], many=True).data, safe=False)


def empty_list(errand, place) -> HttpResponse:
    return JsonResponse([], safe=False)


def empty_page(errand, place) -> HttpResponse:
    return JsonResponse({"count": 0, "next": None, "previous": None, "results": []})


def columns(errand, place) -> HttpResponse:
    """Label Studio's own, without the accounts of all who work here and the names of hidden models."""
    project = Project.objects.get(pk=place.project_id)
    described = load_func(settings.DATA_MANAGER_GET_ALL_COLUMNS)(project, errand.user)
    for column in described["columns"]:
        if column["id"] in _PEOPLE:
            column["schema"] = {"items": [errand.user.pk]}
        elif column["id"] == _MODELS and not project.show_collab_predictions:
            column["schema"] = {"items": [], "multiple": True}
    return JsonResponse(described)


def plain_view(errand, place) -> HttpResponse:
    """One tab without order and filters: with the owner's, the page would ask for other items than the next."""
    view = {"id": PLAIN_VIEW_ID, "data": _PLAIN_VIEW, "order": 0}
    return JsonResponse([{**view, "user": errand.user.pk, "project": place.project_id}], safe=False)


def plain_list(errand, place) -> None:
    """Label Studio answers itself, without looking for a tab that is not there."""
    query = errand.request.GET.copy()
    query.pop("view", None)
    errand.request.GET = query
