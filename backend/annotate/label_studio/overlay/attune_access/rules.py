"""The list of what labelling needs: everything that is not on it is refused."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.http import HttpResponse

from attune_access import bodies, stand_ins
from attune_access.bodies import Check
from attune_access.identifiers import as_id
from attune_access.place import Place, place_of_own_annotation, place_of_own_draft, place_of_task
from attune_access.refusals import NothingHere


@dataclass(frozen=True)
class Errand:
    """One request of an annotator, with the values in its path."""

    request: object
    user: object
    kwargs: Mapping[str, int]


@dataclass(frozen=True)
class Rule:
    """How to find the project behind a request, and what else the request may say."""

    place: Callable[[Errand], Place | None]
    # The names its query may hold; None for a page, whose query Label Studio's server never reads
    query: frozenset[str] | None = frozenset()
    body: Mapping[str, Check] | None = None
    # Answers in Label Studio's place, where its own answer would tell too much; with None it does answer
    stand_in: Callable[[Errand, Place | None], HttpResponse | None] | None = None
    # A value that the query must hold
    must_say: tuple[str, str] | None = None


def _nowhere(errand: Errand) -> None:
    return None


def _project_in_query(errand: Errand) -> Place:
    project_id = as_id(errand.request.GET.get("project"))
    if project_id is None:
        raise NothingHere
    return Place(errand.user.pk, project_id)


def _project(errand: Errand) -> Place:
    return Place(errand.user.pk, errand.kwargs["pk"])


def _task(errand: Errand) -> Place:
    return place_of_task(errand.user.pk, errand.kwargs["pk"])


def _annotation(errand: Errand) -> Place:
    return place_of_own_annotation(errand.user.pk, errand.kwargs["pk"])


def _annotation_of_task(errand: Errand) -> Place:
    place = place_of_own_annotation(errand.user.pk, errand.kwargs["annotation_id"])
    if place.task_id != errand.kwargs["pk"]:
        raise NothingHere
    return place


def _draft(errand: Errand) -> Place:
    return place_of_own_draft(errand.user.pk, errand.kwargs["pk"])


_IDS = frozenset({"project", "taskID", "tabID", "annotationID", "draftID"})
_TASK = _IDS | {"interaction", "annotations_stub"}
_LIST = frozenset({"project", "view", "tabID", "page", "page_size", "interaction"})

RULES: Mapping[tuple[str, str], Rule] = {
    ("GET", "data_manager:project-data"): Rule(_project, None, stand_in=stand_ins.only_labelling),
    ("GET", "logout"): Rule(_nowhere),
    ("GET", "current-user-whoami"): Rule(_nowhere, _IDS),
    ("GET", "version"): Rule(_nowhere, _IDS, stand_in=stand_ins.version),
    ("GET", "user-list"): Rule(_project_in_query, _IDS, stand_in=stand_ins.users),
    ("GET", "ml:api:ml-list"): Rule(_project_in_query, _IDS, stand_in=stand_ins.empty_list),
    ("GET", "labels_manager:api-labels:label_link-list"): Rule(
        _project_in_query, _IDS | {"expand"}, stand_in=stand_ins.empty_page
    ),
    ("GET", "data_manager:dm-columns"): Rule(_project_in_query, _IDS, stand_in=stand_ins.columns),
    ("GET", "data_manager:api:view-list"): Rule(_project_in_query, _IDS, stand_in=stand_ins.plain_view),
    ("GET", "data_manager:dm-project"): Rule(_project_in_query, _IDS | {"interaction", "include"}),
    ("GET", "projects:api:project-detail"): Rule(_project, _IDS | {"include"}),
    ("GET", "projects:api:label-stream-history"): Rule(_project, _IDS),
    ("GET", "tasks:api:task-list"): Rule(_project_in_query, _LIST, stand_in=stand_ins.plain_list),
    ("POST", "data_manager:dm-actions"): Rule(
        _project_in_query, _IDS | {"id"}, bodies.NEXT_TASK, must_say=("id", "next_task")
    ),
    ("GET", "tasks:api:task-detail"): Rule(_task, _TASK),
    ("POST", "tasks:api:task-annotations"): Rule(_task, _IDS, bodies.ANNOTATION),
    ("POST", "tasks:api:task-drafts"): Rule(_task, _IDS, bodies.DRAFT),
    ("POST", "tasks:api:task-annotations-drafts"): Rule(_annotation_of_task, _IDS, bodies.DRAFT),
    ("GET", "tasks:api-annotations:annotation-detail"): Rule(_annotation, _IDS),
    ("PATCH", "tasks:api-annotations:annotation-detail"): Rule(_annotation, _IDS, bodies.ANNOTATION),
    ("DELETE", "tasks:api-annotations:annotation-detail"): Rule(_annotation, _IDS, bodies.NOTHING),
    ("POST", "tasks:api-annotations:annotation-convert-to-draft"): Rule(_annotation, _IDS, bodies.NOTHING),
    ("PATCH", "tasks:api-drafts:draft-detail"): Rule(_draft, _IDS, bodies.DRAFT),
    ("DELETE", "tasks:api-drafts:draft-detail"): Rule(_draft, _IDS, bodies.NOTHING),
}
