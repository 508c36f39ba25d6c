"""How far an annotator has come in a project: said with every answer that may have changed it."""

import json

from django.db.models import Count, Q
from tasks.models import Annotation, Task

from attune_access.models import Seat

HEADER = "Attune-Progress"
_CHANGES_IT = frozenset(
    {
        "data_manager:dm-actions",
        "tasks:api:task-annotations",
        "tasks:api-annotations:annotation-detail",
        "tasks:api-annotations:annotation-convert-to-draft",
    }
)


def add_progress(request, response, seat: Seat) -> None:
    if request.resolver_match.view_name in _CHANGES_IT:
        response[HEADER] = json.dumps(progress(seat))


def progress(seat: Seat) -> dict:
    """An item that was skipped and answered later is done."""
    own = Annotation.objects.filter(completed_by_id=seat.user_id, task__project_id=seat.project_id)
    counted = own.aggregate(
        done=Count("task_id", filter=Q(was_cancelled=False), distinct=True),
        begun=Count("task_id", distinct=True),
    )
    return {
        "done": counted["done"],
        "skipped": counted["begun"] - counted["done"],
        "items": Task.objects.filter(project_id=seat.project_id).count(),
    }
