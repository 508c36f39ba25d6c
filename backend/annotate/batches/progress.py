"""How far each annotator and each batch is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from statistics import median

from django.db.models import Count, Q

from backend.annotate.batches.counting import Counts, Tally, tallies
from backend.annotate.batches.models import AssignedItem, Assignment, Batch, BatchState
from backend.annotate.batches.selectors import HELD
from backend.core.accounts.models import User
from backend.core.studies.models import Study


@dataclass(frozen=True, slots=True)
class AnnotatorProgress:
    assignment: Assignment
    tally: Tally

    @property
    def annotator(self) -> User:
        return self.assignment.annotator

    @property
    def counts(self) -> Counts:
        return self.tally.counts

    @property
    def is_withdrawn(self) -> bool:
        return self.assignment.withdrawn_at is not None

    @property
    def median_seconds(self) -> float | None:
        return _median(self.tally.seconds)

    @property
    def last_activity(self) -> datetime | None:
        return self.tally.last_activity


@dataclass(frozen=True, slots=True)
class BatchProgress:
    batch: Batch
    annotators: tuple[AnnotatorProgress, ...]
    today: date

    @property
    def counts(self) -> Counts:
        """What a withdrawn annotator left undone is nobody's work, so it does not hold the total back."""
        shares = [row.counts for row in self.annotators]
        return Counts(
            assigned=sum(counts.assigned for counts in shares) - self.with_nobody,
            submitted=sum(counts.submitted for counts in shares),
            skipped=sum(counts.skipped for counts in shares),
            flagged=sum(counts.flagged for counts in shares),
            in_quarantine=sum(counts.in_quarantine for counts in shares),
            fixable=sum(counts.fixable for counts in shares),
        )

    @property
    def with_nobody(self) -> int:
        """Unfinished items of withdrawn annotators, which somebody could take over."""
        return sum(row.counts.left for row in self.annotators if row.is_withdrawn)

    @property
    def median_seconds(self) -> float | None:
        return _median([seconds for row in self.annotators for seconds in row.tally.seconds])

    @property
    def last_activity(self) -> datetime | None:
        return max((row.last_activity for row in self.annotators if row.last_activity), default=None)

    @property
    def is_overdue(self) -> bool:
        """Late only while somebody has something left to do."""
        return is_late(self.batch, self.today) and self.counts.left > 0


def is_late(batch: Batch, today: date) -> bool:
    return batch.due_on is not None and batch.due_on < today and batch.state != BatchState.CLOSED


def study_progress(study: Study, *, today: date) -> list[BatchProgress]:
    """Every batch of the study, newest first."""
    return _progress(study.batches.select_related("study", "edition", "opened_by"), today)


def batch_progress(batch: Batch, *, today: date) -> BatchProgress:
    return _progress([batch], today)[0]


def _progress(batches: Iterable[Batch], today: date) -> list[BatchProgress]:
    batches = list(batches)
    assignments = Assignment.objects.filter(batch__in=batches).select_related("annotator")
    shares: dict[int, list[AnnotatorProgress]] = defaultdict(list)
    for row in share_progress(list(assignments.order_by("annotator__username"))):
        shares[row.assignment.batch_id].append(row)
    return [BatchProgress(batch, tuple(shares[batch.pk]), today) for batch in batches]


def batches_at_work(study: Study) -> list[tuple[Batch, Counts]]:
    """Open and paused batches, newest first, with how much is done: counted by the database, in two queries."""
    batches = study.batches.filter(state__in=(BatchState.OPEN, BatchState.PAUSED))
    nobodys = Q(assignment__withdrawn_at__isnull=False, submission=None)
    rows = (
        AssignedItem.objects.filter(HELD, assignment__batch__in=batches)
        .exclude(nobodys)
        .order_by()
        .values("assignment__batch_id")
        .annotate(
            assigned=Count("pk"),
            submitted=Count("pk", filter=Q(submission__state="submitted")),
            skipped=Count("pk", filter=Q(submission__state="skipped")),
        )
    )
    counts = {
        row["assignment__batch_id"]: Counts(row["assigned"], row["submitted"], row["skipped"]) for row in rows
    }
    return [(batch, counts.get(batch.pk, Counts())) for batch in batches]


def share_progress(assignments: Sequence[Assignment]) -> list[AnnotatorProgress]:
    found = tallies(assignments)
    return [AnnotatorProgress(assignment, found[assignment.pk]) for assignment in assignments]


def _median(values: Sequence[float]) -> float | None:
    return median(values) if values else None
