"""What an annotator's request may carry: JSON with the fields labelling needs, pointing to their own work only."""

import json
import uuid
from collections.abc import Callable, Mapping

from attune_access.identifiers import as_id
from attune_access.place import Place
from attune_access.refusals import BadBody

MOST_BYTES = 5_000_000
# Thirty years: of times beyond any sense, even the mean may be infinite
LONGEST_SECONDS = 1_000_000_000
RESULT = "result"
Check = Callable[[object, Place], bool]


def check_body(request, place: Place, fields: Mapping[str, Check]) -> None:
    body = _read(request)
    # Label Studio would store new work without a result as null.
    if request.method == "POST" and RESULT in fields and RESULT not in body:
        raise BadBody
    for name, value in body.items():
        if name not in fields or not fields[name](value, place):
            raise BadBody


def require_no_body(request) -> None:
    """Label Studio also takes ids from the body of a GET."""
    if request.body:
        raise BadBody


def _read(request) -> dict:
    if not request.body:
        return {}
    # Forms and other character sets would be read in another way by Label Studio than here. And a page elsewhere
    # cannot make a browser send JSON.
    charset = request.content_params.get("charset", "utf-8").lower()
    if request.content_type != "application/json" or charset != "utf-8" or len(request.body) > MOST_BYTES:
        raise BadBody
    try:
        body = json.loads(request.body)
        # Half a character, or a number that is none: Label Studio stores either and can never list the task again.
        json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        raise BadBody from None
    if not isinstance(body, dict):
        raise BadBody
    return body


def _accept_anything(value: object, place: Place) -> bool:
    return True


def _same_project(value: object, place: Place) -> bool:
    return as_id(value) == place.project_id


def _same_task(value: object, place: Place) -> bool:
    return place.task_id is not None and as_id(value) == place.task_id


def _accept_nothing(value: object, place: Place) -> bool:
    return value is None


def _regions(value: object, place: Place) -> bool:
    """Not as text: Label Studio would read that once more, with a reader that takes what was refused above."""
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)


def _seconds(value: object, place: Place) -> bool:
    """Not as text: Label Studio takes “Infinity” for a number, and then cannot write it."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value is None
    return -LONGEST_SECONDS <= value <= LONGEST_SECONDS


def _flag(value: object, place: Place) -> bool:
    return isinstance(value, bool)


def _unique_id(value: object, place: Place) -> bool:
    try:
        return isinstance(value, str) and str(uuid.UUID(value)) == value.lower()
    except ValueError:
        return False


def _id_or_none(has: Callable[[Place, int], bool]) -> Check:
    """Label Studio's pages say 0 or null for “none”."""

    def check(value: object, place: Place) -> bool:
        number = as_id(value)
        return value is None or number == 0 or (number is not None and has(place, number))

    return check


def _no_filters(value: object, place: Place) -> bool:
    return value is None or (isinstance(value, dict) and value.get("items", []) == [])


def _empty_list(value: object, place: Place) -> bool:
    return value == []


def _no_selection(value: object, place: Place) -> bool:
    return value in ({"all": False, "included": []}, {"all": True, "excluded": []})


_WORK: dict[str, Check] = {
    RESULT: _regions,
    "lead_time": _seconds,
    "started_at": _accept_anything,
    "draft_id": _id_or_none(Place.has_no_foreign_draft),
    "parent_prediction": _id_or_none(Place.has_prediction),
    "parent_annotation": _id_or_none(Place.has_own_annotation),
    "project": _same_project,
    "task": _same_task,
}
ANNOTATION: dict[str, Check] = {
    **_WORK,
    "unique_id": _unique_id,
    "was_cancelled": _flag,
    "comment": _accept_anything,
}
DRAFT: dict[str, Check] = {**_WORK, "was_postponed": _flag, "annotation": _accept_nothing}
NEXT_TASK: dict[str, Check] = {
    "project": _same_project,
    "filters": _no_filters,
    "ordering": _empty_list,
    "selectedItems": _no_selection,
}
# The page names the project even when it deletes
NOTHING: dict[str, Check] = {"project": _same_project}
