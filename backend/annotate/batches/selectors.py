"""What pages, calls and services read about batches and shares."""

from __future__ import annotations

from django.db.models import Count, Q, QuerySet
from django.http import Http404

from backend.annotate.batches.models import AssignedItem, Assignment, Batch, BatchState
from backend.annotate.batches.requests import BatchRequest
from backend.core.studies.models import Study

HELD = Q(taken_back_at=None) | Q(submission__isnull=False)
# A flag beside an answer in quarantine is known by its discussion alone.
FLAGGED = Q(submission__is_flagged=True) | Q(discussion__is_flagged=True)
ANSWERED = Q(submission__isnull=False) | Q(quarantined__isnull=False)


def batch_of(study: Study, batch_id: int) -> Batch:
    batch = study.batches.select_related("study", "edition", "opened_by").filter(pk=batch_id).first()
    if batch is None:
        raise Http404("This study has no such batch.")
    return batch


def request_of(batch: Batch) -> BatchRequest | None:
    """What was asked for when it was opened, as typed values."""
    return BatchRequest.model_validate(batch.request) if batch.request else None


def held_items(assignment: Assignment) -> QuerySet[AssignedItem]:
    """What is in somebody's share, and what they answered before it could be taken back."""
    return assignment.assigned_items.filter(HELD)


def unfinished_items(assignment: Assignment) -> QuerySet[AssignedItem]:
    """What can be handed over. An answer in quarantine waits to be mended, not to be repeated by somebody else; but
    whoever is withdrawn mends nothing any more."""
    if assignment.withdrawn_at is not None:
        return assignment.assigned_items.filter(taken_back_at=None, submission=None)
    return assignment.assigned_items.filter(taken_back_at=None).exclude(
        pk__in=AssignedItem.objects.filter(ANSWERED, assignment=assignment).values("pk")
    )


def unfinished_work() -> QuerySet[AssignedItem]:
    """Items that somebody still has to judge; a paused batch goes on some day, so it counts."""
    return AssignedItem.objects.filter(
        taken_back_at=None, assignment__withdrawn_at=None, submission=None
    ).exclude(assignment__batch__state=BatchState.CLOSED)


def exposed_items(batch: Batch) -> dict[int, int]:
    """By assignment: unfinished items of which a discussion is shared, so that the annotator may have read it."""
    discussed = AssignedItem.objects.filter(
        assignment__batch__study=batch.study_id, discussion__shared_at__isnull=False
    )
    found = AssignedItem.objects.filter(
        assignment__batch=batch, taken_back_at=None, submission=None, item__in=discussed.values("item")
    )
    return dict(found.order_by().values_list("assignment_id").annotate(n=Count("pk")))


def has_work(batch: Batch) -> bool:
    """Whether anybody did anything, as far as Attune has been told; a draft is work too."""
    begun = (
        Q(annotation_versions__isnull=False)
        | Q(project__annotations_there__gt=0)
        | Q(project__skipped_there__gt=0)
        | Q(project__drafts_there__gt=0)
    )
    return batch.assignments.filter(begun).exists()


def next_name(study: Study) -> str:
    """A name that tells annotators nothing but the order."""
    taken = set(study.batches.values_list("name", flat=True))
    return next(
        name
        for number in range(len(taken) + 1, 2 * len(taken) + 2)
        if (name := f"Batch {number}") not in taken
    )
