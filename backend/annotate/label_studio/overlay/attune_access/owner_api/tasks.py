"""Lists a project's tasks with what has happened to each, and deletes those nobody has begun."""

from django.db import transaction
from django.db.models import Count, Q
from django.db.models.fields.json import KT
from django.http import JsonResponse
from django.shortcuts import get_object_or_404
from projects.models import Project
from tasks.models import Annotation, AnnotationDraft, Task

from attune_access.owner_api.requests import BadRequest, field, json_object, owner_only

MOST_PER_PAGE = 5000
# Fewer than SQLite's limit of variables in a statement
_STRIDE = 500


@owner_only("GET", "DELETE")
def tasks(request, project_id: int):
    project = get_object_or_404(Project, pk=project_id)
    if request.method == "DELETE":
        ids = field(json_object(request), "ids", list)
        if not all(type(each) is int for each in ids):
            raise BadRequest("“ids” must be numbers.")
        return JsonResponse(delete_unbegun(project=project, ids=set(ids)))
    after, limit = _number(request, "after", 0), _number(request, "limit", MOST_PER_PAGE)
    return JsonResponse(
        task_page(
            project_id=project.pk,
            after=after,
            limit=max(1, min(limit, MOST_PER_PAGE)),
            item=request.GET.get("item"),
        )
    )


def task_page(*, project_id: int, after: int, limit: int, item: str | None) -> dict:
    found = (
        Task.objects.filter(project_id=project_id, pk__gt=after)
        .order_by("pk")
        .annotate(item=KT("data__item"))
    )
    if item is not None:
        # Not by the column above: SQLite would take a text compared with that for JSON
        found = found.filter(data__item=item)
    rows = list(found.values_list("pk", "item", "updated_at")[: limit + 1])
    page = rows[:limit]
    first_to_last = {"task_id__gt": after, "task_id__lte": page[-1][0]} if page else {"task_id": 0}
    judged = _count_judged(project_id, first_to_last)
    drafts = _drafts(project_id, first_to_last)
    return {
        "tasks": [
            {
                "id": pk,
                "item": item,
                "annotations": judged.get(pk, (0, 0))[0],
                "skipped": judged.get(pk, (0, 0))[1],
                "drafts": drafts.get(pk, 0),
                "updated_at": updated_at.isoformat(),
            }
            for pk, item, updated_at in page
        ],
        "next": page[-1][0] if len(rows) > limit else None,
    }


def _count_judged(project_id: int, span: dict) -> dict:
    """How many annotations and how many skips each task has."""
    rows = Annotation.objects.filter(task__project_id=project_id, **span).order_by().values("task_id")
    skips = Q(was_cancelled=True)
    counted = rows.annotate(done=Count("pk", filter=~skips), skipped=Count("pk", filter=skips))
    return {row["task_id"]: (row["done"], row["skipped"]) for row in counted}


def _drafts(project_id: int, span: dict) -> dict:
    rows = AnnotationDraft.objects.filter(task__project_id=project_id, **span).order_by().values("task_id")
    return {row["task_id"]: row["number"] for row in rows.annotate(number=Count("pk"))}


@transaction.atomic
def delete_unbegun(*, project, ids: set) -> dict:
    """All in one transaction: what arrives meanwhile either keeps its task or is refused."""
    ordered = sorted(ids)
    deleted: list = []
    for start in range(0, len(ordered), _STRIDE):
        deleted += _delete_some(project, ordered[start : start + _STRIDE])
    if deleted:
        project.update_tasks_states(
            maximum_annotations_changed=False,
            overlap_cohort_percentage_changed=False,
            tasks_number_changed=True,
        )
    return {"deleted": deleted, "kept": sorted(ids - set(deleted))}


def _delete_some(project, ids: list) -> list:
    # The lock comes first: PostgreSQL then lets nobody attach an annotation until this is over.
    there = list(project.tasks.select_for_update().filter(pk__in=ids).values_list("pk", flat=True))
    touched = {
        task_id
        for work in (Annotation, AnnotationDraft)
        for task_id in work.objects.filter(task_id__in=there).values_list("task_id", flat=True)
    }
    free = [pk for pk in there if pk not in touched]
    if free:
        project.summary.remove_data_columns(Task.objects.filter(pk__in=free))
        Task.delete_tasks_without_signals_from_task_ids(free)
    return sorted(free)


def _number(request, name: str, default: int) -> int:
    try:
        return int(request.GET.get(name, default))
    except ValueError:
        raise BadRequest(f"“{name}” must be a number.") from None
