"""Works out from answers, flags, suspicions and decisions where each item is in the queue, and why.

An item's open points are the codes that are disputed, the codes whose evidence is, each open flag, each answer in
quarantine, each suspicion, and one more where a second round is due or an answer was changed. A decision answers
every point that there was when it was made but open flags, which stay until somebody settles them, as they keep the
item out of every release; what comes later brings the item back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from backend.core.studies.models import Study
from backend.decide.adjudication.annotator_answers import judgments_hash
from backend.decide.adjudication.current_decision import CurrentDecision
from backend.decide.adjudication.models import DecisionRound, QueueState
from backend.decide.adjudication.needs import LONG_AGO, Needs, needs_of
from backend.decide.adjudication.selectors import plan_of, standings_of
from backend.decide.adjudication.summaries import Summary, summaries
from backend.design.codebooks.selectors import latest_edition


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
class ItemState:
    """`blind_to` is who made the first of two decisions, for whom the second is not; `final` the decision that
    stands for good, by its number."""

    state: QueueState
    points: Mapping[Reason, int]
    codes: frozenset[str]
    annotators: frozenset[int]
    batches: frozenset[int]
    blind_to: int | None = None
    final: int | None = None


def item_states(study: Study, items: Collection[int] | None = None) -> dict[int, ItemState]:
    """Of these items, or of all, as far as they were judged or decided: the slow way, from everything there is."""
    edition = latest_edition(study)
    if edition is None:
        return {}
    plan = plan_of(study)
    answered = summaries(study, edition, plan.evidence_threshold, items)
    needs, decided = needs_of(study, items), standings_of(study, plan, items)
    return {
        pk: _state(pk, decided.get(pk, UNDECIDED), answered.get(pk, NOTHING_SAID), needs)
        for pk in decided.keys() | answered.keys() | needs.quarantined.keys()
    }


UNDECIDED = CurrentDecision({}, is_chosen=False)
NOTHING_SAID = Summary((), (), judgments_hash(()), frozenset(), frozenset())


def _state(pk: int, standing: CurrentDecision, summary: Summary, needs: Needs) -> ItemState:
    points = dict(_points(pk, standing, summary, needs))
    suspected = (code for _, code in needs.suspicions.get(pk, ()))
    first = standing.first
    return ItemState(
        state=_waits_for(standing, is_open=bool(points), is_unfinished=pk in needs.unfinished),
        points=points,
        codes=frozenset([*summary.disputed, *summary.evidence_disputed, *standing.differs, *suspected]),
        annotators=summary.annotators,
        batches=summary.batches,
        blind_to=first.author_id if first and standing.due is DecisionRound.SECOND else None,
        final=standing.final.pk if standing.final else None,
    )


def _waits_for(standing: CurrentDecision, *, is_open: bool, is_unfinished: bool) -> QueueState:
    if standing.due is DecisionRound.SECOND:
        return QueueState.SECOND
    if is_open:
        is_early = standing.due is DecisionRound.FIRST and is_unfinished
        return QueueState.WITH_ANNOTATORS if is_early else QueueState.WAITING
    return QueueState.SETTLED if standing.final else QueueState.QUIET


def _points(
    pk: int, standing: CurrentDecision, summary: Summary, needs: Needs
) -> Iterator[tuple[Reason, int]]:
    match standing.due:
        case DecisionRound.FIRST:
            yield from _sort_reasons(summary)
            yield from _came_up(pk, needs, LONG_AGO)
        case DecisionRound.SECOND:
            yield Reason.SECOND, 1
            yield from _sort_reasons(summary)
        case DecisionRound.RECONCILING:
            yield Reason.RECONCILE, len(standing.differs)
        case _:
            latest = standing.latest
            if latest and latest.judgments_hash != summary.judgments_hash:
                yield Reason.CHANGED, 1
            yield from _came_up(pk, needs, standing.answered_until or LONG_AGO)


def _sort_reasons(summary: Summary) -> Iterator[tuple[Reason, int]]:
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
