"""The queue of what researchers have to settle, the items with the most open points first (see `queue_states`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from backend.annotate.batches.blindness import hidden_items
from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.decide.adjudication.models import QueueItem, QueueState
from backend.decide.adjudication.queue_rows import refresh_or_enqueue
from backend.decide.adjudication.queue_states import Reason

__all__ = ["Choice", "Entry", "Queue", "QueueCounts", "Reason", "count_queue", "queue_for", "settled_items"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One item of the queue; `codes` are those in question, in no special order."""

    item_pk: int
    points: Mapping[Reason, int]
    codes: frozenset[str]
    annotators: frozenset[int]
    batches: frozenset[int]

    @property
    def n_points(self) -> int:
        return sum(self.points.values())


@dataclass(frozen=True, slots=True)
class Choice:
    """What of the queue is asked for; 0, None and an empty code filter nothing."""

    batch_id: int = 0
    annotator_id: int = 0
    code_id: str = ""
    reason: Reason | None = None

    @property
    def is_filtered(self) -> bool:
        return self != Choice()

    def takes(self, entry: Entry) -> bool:
        return (
            (not self.batch_id or self.batch_id in entry.batches)
            and (not self.annotator_id or self.annotator_id in entry.annotators)
            and (not self.code_id or self.code_id in entry.codes)
            and (self.reason is None or self.reason in entry.points)
        )


@dataclass(frozen=True, slots=True)
class QueueCounts:
    """`settled` counts items with a final decision and nothing new; `with_others` wait for another researcher,
    `with_annotators` for an annotator who has not judged them yet. `is_counting`: so much changed at once that a job
    works it out, and these are the numbers from before."""

    waiting: int
    settled: int
    with_others: int
    with_annotators: int
    is_counting: bool

    @property
    def total(self) -> int:
        return self.waiting + self.settled + self.with_others


@dataclass(frozen=True, slots=True)
class Queue(QueueCounts):
    """The counts, and the items that wait."""

    entries: Sequence[Entry]

    def chosen(self, choice: Choice) -> list[Entry]:
        return [entry for entry in self.entries if choice.takes(entry)]

    def counts(self) -> dict[Reason, int]:
        found = Counter(reason for entry in self.entries for reason in entry.points)
        return {reason: found[reason] for reason in Reason}


def count_queue(user: User | None, study: Study) -> QueueCounts:
    """What waits for this researcher, or for anybody: a blind second decision is for all but the first one's author.

    Two queries, however many items there are, unless something changed since.
    """
    is_counting = refresh_or_enqueue(study, now=timezone.now())
    own = Count("pk", filter=Q(blind_to=user)) if user else Count("pk", filter=Q(pk=None))
    rows = _seen_by(user, study).order_by().values_list("state")
    found = {state: (n, n_own) for state, n, n_own in rows.annotate(n=Count("pk"), own=own)}
    seconds, with_others = found.get(QueueState.SECOND, (0, 0))
    return QueueCounts(
        waiting=_n(found, QueueState.WAITING) + seconds - with_others,
        settled=_n(found, QueueState.SETTLED),
        with_others=with_others,
        with_annotators=_n(found, QueueState.WITH_ANNOTATORS),
        is_counting=is_counting,
    )


def _n(found: Mapping[str, tuple[int, int]], state: QueueState) -> int:
    return found.get(state, (0, 0))[0]


def queue_for(user: User | None, study: Study) -> Queue:
    """The same with the items that wait."""
    counts = count_queue(user, study)
    rows = _seen_by(user, study).filter(state__in=[QueueState.WAITING, QueueState.SECOND])
    if user:
        rows = rows.exclude(blind_to=user)
    return Queue(
        waiting=counts.waiting,
        settled=counts.settled,
        with_others=counts.with_others,
        with_annotators=counts.with_annotators,
        is_counting=counts.is_counting,
        entries=tuple(_entries(rows)),
    )


def _entries(rows: QuerySet[QueueItem]) -> Iterable[Entry]:
    columns = rows.order_by("-n_points", "item").values_list(
        "item_id", "points", "codes", "annotators", "batches"
    )
    for pk, points, codes, annotators, batches in columns:
        reasons = {reason: points[reason] for reason in Reason if reason in points}
        yield Entry(pk, reasons, frozenset(codes), frozenset(annotators), frozenset(batches))


def _seen_by(user: User | None, study: Study) -> QuerySet[QueueItem]:
    """Without what this person still has to judge as an annotator."""
    return QueueItem.objects.filter(study=study).exclude(item__in=hidden_items(user, study))


def settled_items(study: Study, user: User | None = None) -> QuerySet[QueueItem]:
    """Items with a final decision and nothing new since, latest first; those that this person may read."""
    rows = _seen_by(user, study).filter(state=QueueState.SETTLED)
    return rows.order_by("-final__made_at", "-final")
