"""Counts what became of the items of many shares at once: three queries however many there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Q

from backend.annotate.batches.models import AssignedItem, Assignment
from backend.annotate.batches.selectors import FLAGGED, HELD


@dataclass(frozen=True, slots=True)
class Counts:
    """Items of a share: assigned = submitted + skipped + left. What is in quarantine is counted as answers."""

    assigned: int = 0
    submitted: int = 0
    skipped: int = 0
    flagged: int = 0
    in_quarantine: int = 0
    fixable: int = 0

    @property
    def done(self) -> int:
        return self.submitted + self.skipped

    @property
    def left(self) -> int:
        return self.assigned - self.done


@dataclass(frozen=True, slots=True)
class Tally:
    """One share: how many, how long each took, and when something last came in."""

    counts: Counts
    seconds: tuple[float, ...]
    last_activity: datetime | None


@dataclass(frozen=True, slots=True)
class _Arrivals:
    in_quarantine: int
    fixable: int
    last_activity: datetime | None


def tallies(assignments: Sequence[Assignment]) -> dict[int, Tally]:
    """By the assignment's number."""
    ids = [assignment.pk for assignment in assignments]
    arrivals, items, seconds = _arrivals(ids), _items(ids), _seconds(ids)
    return {
        pk: Tally(
            counts=_merge(items.get(pk, Counts()), arrivals[pk]),
            seconds=tuple(seconds[pk]),
            last_activity=arrivals[pk].last_activity,
        )
        for pk in ids
    }


def _merge(items: Counts, arrivals: _Arrivals) -> Counts:
    return Counts(
        assigned=items.assigned,
        submitted=items.submitted,
        skipped=items.skipped,
        flagged=items.flagged,
        in_quarantine=arrivals.in_quarantine,
        fixable=arrivals.fixable,
    )


def _items(ids: Sequence[int]) -> dict[int, Counts]:
    rows = (
        AssignedItem.objects.filter(HELD, assignment__in=ids)
        .order_by()
        .values("assignment_id")
        .annotate(
            assigned=Count("pk"),
            submitted=Count("pk", filter=Q(submission__state="submitted")),
            skipped=Count("pk", filter=Q(submission__state="skipped")),
            flagged=Count("pk", filter=FLAGGED),
        )
    )
    return {
        row["assignment_id"]: Counts(row["assigned"], row["submitted"], row["skipped"], row["flagged"])
        for row in rows
    }


def _arrivals(ids: Sequence[int]) -> dict[int, _Arrivals]:
    """By what came in and not by item: an answer in quarantine may belong to no item of the share."""
    fixable = Q(annotation_versions__quarantined__is_fixable=True)
    rows = (
        Assignment.objects.filter(pk__in=ids)
        .order_by()
        .values("pk")
        .annotate(
            kept=Count("annotation_versions__quarantined"),
            fixable=Count("annotation_versions__quarantined", filter=fixable),
            last=Max("annotation_versions__changed_there_at"),
        )
    )
    return {row["pk"]: _Arrivals(row["kept"], row["fixable"], row["last"]) for row in rows}


def _seconds(ids: Sequence[int]) -> dict[int, list[float]]:
    """The databases have no median in common, so the times themselves are fetched."""
    seconds: dict[int, list[float]] = defaultdict(list)
    submitted = AssignedItem.objects.filter(assignment__in=ids, submission__state="submitted").order_by()
    for assignment, lead in submitted.values_list("assignment_id", "submission__lead_seconds"):
        if lead is not None:
            seconds[assignment].append(lead)
    return seconds
