"""Keeps a row per item that says where it is in the queue, so that nobody has to read the answers to count it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from django.db import transaction

from backend.annotate.judgments.models import Submission
from backend.core.jobs.services import enqueue_once
from backend.core.studies.models import Study
from backend.decide.adjudication.models import QueueItem, QueueMark
from backend.decide.adjudication.queue_states import ItemState, item_states

REFRESH_QUEUE = "refresh_adjudication_queue"
CHUNK = 1000
FIELDS = [
    field.attname for field in QueueItem._meta.concrete_fields if field.attname not in ("item_id", "study_id")
]


def refresh_queue(study: Study, *, report: Callable[[int], None] = lambda done: None) -> int:
    """Works out again what changed since it was last asked; how many items that were. One query if nothing did."""
    done = 0
    while QueueMark.objects.filter(study_pk=study.pk).exists():
        report(done)
        done += _refresh_some(study)
    return done


def refresh_or_enqueue(study: Study, *, now: datetime) -> bool:
    """For pages and calls: a few items are worked out at once, many are left to a job. Whether they were left.

    A new edition or another threshold marks every item, and nobody should wait for all of them. One query if nothing
    changed.
    """
    marked = QueueMark.objects.filter(study_pk=study.pk).values("item_pk").distinct()
    n = marked[: CHUNK + 1].count()
    if n > CHUNK:
        enqueue_once(kind=REFRESH_QUEUE, study=study, now=now)
    elif n:
        refresh_queue(study)
    return n > CHUNK


@transaction.atomic
def _refresh_some(study: Study) -> int:
    """One at a time: whoever reads before another change and writes after it would write what is no longer so."""
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    marked = QueueMark.objects.filter(study_pk=study.pk)
    items = list(marked.order_by("item_pk").values_list("item_pk", flat=True).distinct()[:CHUNK])
    seen = list(marked.filter(item_pk__in=items).values_list("pk", flat=True))
    _write(study, items)
    # A mark that comes while this is worked out is not among those seen, and stays
    for start in range(0, len(seen), CHUNK):
        QueueMark.objects.filter(pk__in=seen[start : start + CHUNK]).delete()
    return len(items)


def rebuild_queue(study: Study) -> int:
    """Works out every item anew, whatever was marked; how many rows there are then."""
    with transaction.atomic():
        known = QueueItem.objects.filter(study=study).values_list("item_id", flat=True)
        judged = Submission.objects.filter(assigned_item__assignment__batch__study=study)
        needed = {
            *known,
            *judged.values_list("assigned_item__item_id", flat=True),
            *study.items.filter(decisions__isnull=False).values_list("pk", flat=True),
            *study.items.filter(assigned_items__quarantined__isnull=False).values_list("pk", flat=True),
        }
        marks = (QueueMark(item_pk=pk, study_pk=study.pk) for pk in sorted(needed))
        QueueMark.objects.bulk_create(marks, batch_size=CHUNK)
    refresh_queue(study)
    return QueueItem.objects.filter(study=study).count()


def _write(study: Study, items: Sequence[int]) -> None:
    found = item_states(study, items)
    QueueItem.objects.filter(item__in=[pk for pk in items if pk not in found]).delete()
    QueueItem.objects.bulk_create(
        (_row(study, pk, state) for pk, state in found.items()),
        update_conflicts=True,
        unique_fields=["item_id"],
        update_fields=FIELDS,
    )


def _row(study: Study, pk: int, state: ItemState) -> QueueItem:
    return QueueItem(
        item_id=pk,
        study=study,
        state=state.state,
        n_points=sum(state.points.values()),
        points=dict(state.points),
        codes=sorted(state.codes),
        annotators=sorted(state.annotators),
        batches=sorted(state.batches),
        blind_to_id=state.blind_to,
        final_id=state.final,
    )
