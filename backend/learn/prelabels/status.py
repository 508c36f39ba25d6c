"""Which batches have suggestions, by what researchers want to know; annotators are never told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q

from backend.annotate.batches.models import AssignedItem, Batch
from backend.core.jobs.models import Job
from backend.core.studies.models import Study
from backend.learn.models.models import Adapter
from backend.learn.prelabels.models import ConditionAssignment, Suggestion
from backend.learn.prelabels.queue import active_pushes
from backend.learn.prelabels.selectors import Suggesting, followed_batches, suggesting_in
from learning.prelabel_experiment.values import Condition


@dataclass(frozen=True, slots=True)
class BatchStatus:
    """`places` are items in shares: an item that two annotators judge counts twice."""

    batch: Batch
    suggesting: Suggesting
    places: int
    shown: int
    blind: int
    adapters: tuple[Adapter, ...]
    job: Job | None

    @property
    def shown_share(self) -> float | None:
        return self.shown / self.places if self.places else None

    @property
    def is_sealed(self) -> bool:
        return self.blind > 0 or self.shown > 0


def batch_statuses(study: Study) -> list[BatchStatus]:
    """Of batches in work, newest first."""
    return _statuses(study, followed_batches(study))


def batch_page_context(batch: Batch) -> dict[str, object]:
    return {"prelabels": batch_status(batch)}


def batch_status(batch: Batch) -> BatchStatus:
    return _statuses(batch.study, [batch])[0]


def _statuses(study: Study, batches: Sequence[Batch]) -> list[BatchStatus]:
    jobs = active_pushes(study.pk)
    given = AssignedItem.objects.filter(assignment__batch__in=batches, taken_back_at=None).order_by()
    places = dict(given.values_list("assignment__batch").annotate(n=Count("pk")))
    shown = Suggestion.objects.filter(
        assigned_item__assignment__batch__in=batches,
        assigned_item__taken_back_at=None,
        shown_at__isnull=False,
        taken_back_at=None,
    )
    return [
        BatchStatus(
            batch=batch,
            suggesting=suggesting_in(batch),
            places=places.get(batch.pk, 0),
            shown=shown.filter(assigned_item__assignment__batch=batch)
            .values("assigned_item")
            .distinct()
            .count(),
            blind=_blind(batch),
            adapters=_adapters(batch),
            job=jobs.get(batch.pk),
        )
        for batch in batches
    ]


def _blind(batch: Batch) -> int:
    """In shares, as the others are counted."""
    blind = ConditionAssignment.objects.filter(batch=batch, condition=Condition.BLIND).values("item")
    return AssignedItem.objects.filter(assignment__batch=batch, taken_back_at=None, item__in=blind).count()


def _adapters(batch: Batch) -> tuple[Adapter, ...]:
    """Whose suggestions somebody could see in it, newest first."""
    shown = Q(
        predictions__suggestions__assigned_item__assignment__batch=batch,
        predictions__suggestions__shown_at__isnull=False,
    )
    return tuple(batch.study.adapters.filter(shown).distinct().order_by("-number"))
