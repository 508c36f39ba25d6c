"""The queue of what researchers have to settle: why each item is in it, and in which order they come.

An item's open points are the codes that are disputed, the codes whose evidence is, each open flag, each answer in
quarantine, each suspicion, and one more where a second sitting is due or an answer was changed. Items with the most
points come first. A decision answers every point that there was when it was made but open flags, which stay until
somebody settles them, as they keep the item out of every release; what comes later brings the item back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from backend.accounts.models import User
from backend.adjudication.given import judgments_hash
from backend.adjudication.models import Sitting
from backend.adjudication.needs import LONG_AGO, Needs, needs_of
from backend.adjudication.selectors import plan_of, standings
from backend.adjudication.standing import Standing
from backend.adjudication.summaries import Summary, summaries
from backend.codebooks.selectors import latest_edition
from backend.studies.models import Study


class Reason(StrEnum):
    """Why an item is in the queue."""

    DISAGREEMENT = "disagreement"
    EVIDENCE = "evidence"
    QUARANTINE = "quarantine"
    FLAG = "flag"
    SUSPECT = "suspect"
    SECOND = "second"
    RECONCILE = "reconcile"
    CHANGED = "changed"


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
class Queue:
    """`settled` counts items with a final decision and nothing new; `with_others` wait for another researcher,
    `with_annotators` for an annotator who has not judged them yet. `decided` is what it was made from, by item."""

    entries: Sequence[Entry]
    settled: int
    with_others: int
    with_annotators: int
    decided: Mapping[int, Standing] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return len(self.entries) + self.settled + self.with_others

    def chosen(self, choice: Choice) -> list[Entry]:
        return [entry for entry in self.entries if choice.takes(entry)]

    def counts(self) -> dict[Reason, int]:
        found = Counter(reason for entry in self.entries for reason in entry.points)
        return {reason: found[reason] for reason in Reason}


def queue_for(user: User | None, study: Study) -> Queue:
    """What waits for this researcher, or for anybody: a blind second decision is for all but the first one's author."""
    edition = latest_edition(study)
    if edition is None:
        return Queue((), 0, 0, 0)
    plan = plan_of(study)
    answered = summaries(study, edition, plan.evidence_threshold)
    needs, decided = needs_of(study), standings(study, plan=plan)
    assigned = answered.keys() | needs.quarantined.keys()
    entries, settled, with_others, with_annotators = [], 0, 0, 0
    disputed = {pk for pk, found in answered.items() if found.disputed or found.evidence_disputed}
    for pk in sorted(decided.keys() | disputed | (needs.named() & assigned)):
        standing, summary = decided.get(pk, UNDECIDED), answered.get(pk, NOTHING_SAID)
        points = dict(_points(pk, standing, summary, needs, user.pk if user else 0))
        if points and standing.due is Sitting.FIRST and pk in needs.unfinished:
            with_annotators += 1
        elif points:
            entries.append(_entry(pk, points, standing, summary, needs))
        elif standing.final:
            settled += 1
        elif standing.due is Sitting.SECOND:
            with_others += 1
    # Sorting is stable, so that ties stay in the order of the items
    entries.sort(key=lambda entry: -entry.n_points)
    return Queue(tuple(entries), settled, with_others, with_annotators, decided)


UNDECIDED = Standing({}, is_chosen=False)
NOTHING_SAID = Summary((), (), judgments_hash(()), frozenset(), frozenset())


def _points(
    pk: int, standing: Standing, summary: Summary, needs: Needs, user_id: int
) -> Iterator[tuple[Reason, int]]:
    match standing.due:
        case Sitting.FIRST:
            yield from _said(summary)
            yield from _came_up(pk, needs, LONG_AGO)
        case Sitting.SECOND:
            if standing.sitting_for(user_id) is Sitting.SECOND:
                yield Reason.SECOND, 1
                yield from _said(summary)
        case Sitting.RECONCILING:
            yield Reason.RECONCILE, len(standing.differs)
        case _:
            latest = standing.latest
            if latest and latest.judgments_hash != summary.judgments_hash:
                yield Reason.CHANGED, 1
            yield from _came_up(pk, needs, standing.answered_until or LONG_AGO)


def _said(summary: Summary) -> Iterator[tuple[Reason, int]]:
    if summary.disputed:
        yield Reason.DISAGREEMENT, len(summary.disputed)
    if summary.evidence_disputed:
        yield Reason.EVIDENCE, len(summary.evidence_disputed)


def _came_up(pk: int, needs: Needs, since: datetime) -> Iterator[tuple[Reason, int]]:
    suspected = [found_at for found_at, _ in needs.suspicions.get(pk, ())]
    found = {
        Reason.QUARANTINE: sum(moment > since for moment in needs.quarantined.get(pk, ())),
        Reason.FLAG: needs.flags.get(pk, 0),
        Reason.SUSPECT: sum(moment > since for moment in suspected),
    }
    yield from ((reason, n) for reason, n in found.items() if n)


def _entry(
    pk: int, points: Mapping[Reason, int], standing: Standing, summary: Summary, needs: Needs
) -> Entry:
    suspected = (code for _, code in needs.suspicions.get(pk, ()))
    codes = frozenset([*summary.disputed, *summary.evidence_disputed, *standing.differs, *suspected])
    return Entry(pk, points, codes, summary.annotators, summary.batches)
