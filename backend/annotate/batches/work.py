"""What an annotator's home shows: their own shares, and nothing about anybody else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from backend.annotate.batches.counting import Counts
from backend.annotate.batches.models import AssignedItem, Assignment, Batch, BatchKind, BatchState
from backend.annotate.batches.own_items import OwnItems, own_items
from backend.annotate.batches.progress import AnnotatorProgress, is_late, share_progress
from backend.core.accounts.models import User
from backend.core.studies.access import studies_of
from backend.core.studies.models import Study


@dataclass(frozen=True, slots=True)
class ToMend:
    """An answer that cannot be taken as it is, and what the annotator can do about it."""

    place: AssignedItem
    messages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Work:
    """One share as its annotator sees it. The kind stays hidden: a recheck must look like any other batch."""

    progress: AnnotatorProgress
    to_mend: tuple[ToMend, ...]
    own: OwnItems
    today: date

    @property
    def assignment(self) -> Assignment:
        return self.progress.assignment

    @property
    def batch(self) -> Batch:
        return self.assignment.batch

    @property
    def counts(self) -> Counts:
        return self.progress.counts

    @property
    def is_practice(self) -> bool:
        return self.batch.kind == BatchKind.PRACTICE

    @property
    def is_current(self) -> bool:
        over = (BatchState.CLOSED, BatchState.DISCARDING)
        return self.batch.state not in over and not self.progress.is_withdrawn

    @property
    def can_work(self) -> bool:
        return self.is_current and self.batch.state == BatchState.OPEN

    @property
    def is_started(self) -> bool:
        return self.progress.last_activity is not None

    @property
    def is_overdue(self) -> bool:
        return is_late(self.batch, self.today) and self.counts.left > 0


def work_of(user: User, study: Study, *, today: date) -> list[Work]:
    """What is due first comes first; what is over comes last."""
    assignments = list(
        Assignment.objects.filter(annotator=user, batch__study=study).select_related(
            "batch__edition", "annotator"
        )
    )
    to_mend, own = _to_mend(assignments), own_items(assignments)
    found = [
        Work(row, tuple(to_mend[row.assignment.pk]), own.get(row.assignment.pk, OwnItems()), today)
        for row in share_progress(assignments)
    ]
    return sorted(found, key=_order)


def _order(work: Work) -> tuple[bool, bool, bool, date, int]:
    due = work.batch.due_on or date.max
    return (not work.is_current, not work.can_work, work.counts.left == 0, due, work.assignment.pk)


def _to_mend(assignments: Sequence[Assignment]) -> dict[int, list[ToMend]]:
    places = (
        AssignedItem.objects.filter(
            assignment__in=assignments, taken_back_at=None, quarantined__is_fixable=True
        )
        .distinct()
        .select_related("item")
        .prefetch_related("quarantined")
        .order_by("assignment_id", "position")
    )
    found: dict[int, list[ToMend]] = defaultdict(list)
    for place in places:
        found[place.assignment_id].append(ToMend(place, _messages(place)))
    return found


def _messages(place: AssignedItem) -> tuple[str, ...]:
    """What others did in the wrong place is for researchers to see, so only what the annotator can mend is told."""
    return tuple(
        problem["message"] for row in place.quarantined.all() if row.is_fixable for problem in row.problems
    )


def only_study(user: User) -> Study | None:
    """The study of somebody who has just one."""
    found = list(studies_of(user)[:2])
    return found[0] if len(found) == 1 else None
