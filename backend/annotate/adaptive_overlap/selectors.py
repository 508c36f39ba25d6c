"""What was asked and answered in a batch so far, and where that leaves each of its items."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from annotation.adaptive_overlap import AskedItem, OverlapPolicy, Standing, certainties, standings
from backend.annotate.batches.candidates import annotators_of, golden_items, researching
from backend.annotate.batches.models import AssignedItem, Assignment, Batch, BatchKind
from backend.annotate.batches.plans import counted_codes
from backend.annotate.batches.selectors import HELD, request_of, unfinished_items
from backend.annotate.judgments.models import Judgment, SubmissionState
from backend.design.codebooks.selectors import codebook_of


@dataclass(frozen=True, slots=True)
class OverlapState:
    """By item id where each is; `again` are those that somebody was asked about because of the first answers."""

    policy: OverlapPolicy
    items: tuple[AskedItem, ...]
    standing: Mapping[str, Standing]
    again: frozenset[str]

    @property
    def counts(self) -> Counter[Standing]:
        return Counter(self.standing.values())

    @property
    def n_seats(self) -> int:
        """Answers that came or are waited for."""
        return sum(each.seats for each in self.items)

    @property
    def most_answers(self) -> int:
        return len(self.items) * self.policy.at_most if self.policy.budget is None else self.policy.budget


def policy_of(batch: Batch) -> OverlapPolicy | None:
    """None for a batch of another kind."""
    asked = request_of(batch) if batch.kind == BatchKind.ADAPTIVE else None
    return asked.overlap_policy if asked else None


def overlap_state(batch: Batch) -> OverlapState | None:
    """A few queries and a model of a few seconds at most, however many items there are."""
    policy = policy_of(batch)
    if policy is None:
        return None
    items, again = _asked_items(batch)
    certainty = certainties(items, counted_codes(codebook_of(batch.edition)))
    return OverlapState(policy, items, standings(items, certainty, policy), again)


def loads_of(batch: Batch) -> dict[str, int]:
    """How much each annotator who can be asked still has to do, by log-in name."""
    return {share.annotator.username: unfinished_items(share).count() for share in _at_work(batch)}


def batch_page_context(batch: Batch) -> dict[str, object]:
    state = overlap_state(batch)
    return {"overlap": state, "standings": _shown(state)} if state else {}


def _asked_items(batch: Batch) -> tuple[tuple[AskedItem, ...], frozenset[str]]:
    seats: dict[str, set[str]] = defaultdict(set)
    pending: Counter[str] = Counter()
    rows: dict[str, int] = {}
    again = set()
    values = _values(batch)
    said: dict[str, dict[str, dict[str, int]]] = defaultdict(dict)
    held = AssignedItem.objects.filter(HELD, assignment__batch=batch).order_by("item__item_id")
    for place, item, row, who, state, is_extra in held.values_list(
        "pk", "item__item_id", "item_id", "assignment__annotator__username", "submission__state", "is_extra"
    ):
        rows[item] = row
        seats[item].add(who)
        pending[item] += state is None
        if state == SubmissionState.SUBMITTED:
            said[item][who] = values[place]
        if is_extra:
            again.add(item)
    met, closed = _met(batch), _closed(batch)
    free = {share.annotator.username for share in _at_work(batch)}
    return tuple(
        AskedItem(
            item=item,
            seats=len(who),
            pending=pending[item],
            values=said[item],
            askable=frozenset() if row in closed else frozenset(free - met[row]),
        )
        for (item, who), row in zip(seats.items(), rows.values(), strict=True)
    ), frozenset(again)


def _values(batch: Batch) -> dict[int, dict[str, int]]:
    """By the place of an item in a share."""
    found: dict[int, dict[str, int]] = defaultdict(dict)
    rows = Judgment.objects.filter(submission__assigned_item__assignment__batch=batch)
    for place, code, value in rows.values_list("submission__assigned_item_id", "code", "value"):
        found[place][code] = value
    return found


def _at_work(batch: Batch) -> list[Assignment]:
    """Without those who research too: they could read the first answers."""
    people = annotators_of(batch.study)
    shares = batch.assignments.filter(withdrawn_at=None, annotator__in=people)
    shares = shares.exclude(annotator__in=researching(people, batch.study))
    return list(shares.select_related("annotator").order_by("annotator__username"))


def _met(batch: Batch) -> dict[int, set[str]]:
    """By item, who ever had it in whichever batch, also if it was taken back: they may have read or answered it."""
    found: dict[int, set[str]] = defaultdict(set)
    own = AssignedItem.objects.filter(assignment__batch=batch).values("item")
    rows = AssignedItem.objects.filter(assignment__batch__study=batch.study_id, item__in=own)
    for item, who in rows.values_list("item_id", "assignment__annotator__username"):
        found[item].add(who)
    return found


def _closed(batch: Batch) -> frozenset[int]:
    """Items about which nobody can be asked afresh: annotators may have read a discussion, or the gold answer."""
    own = AssignedItem.objects.filter(assignment__batch=batch).values("item")
    shared = AssignedItem.objects.filter(item__in=own, discussion__shared_at__isnull=False)
    golden = golden_items(batch.study).filter(pk__in=own)
    return frozenset(shared.values_list("item_id", flat=True)) | frozenset(
        golden.values_list("pk", flat=True)
    )


_WORDS = {
    Standing.SURE: ("Sure", "Nobody else is asked."),
    Standing.ASKED: ("Waiting for an answer", "Somebody who was asked has not answered yet."),
    Standing.UNSURE: ("To be asked again", "Somebody else is asked within a minute while the batch is open."),
    Standing.AT_MOST: ("At the maximum, unsure", "Decide these under Adjudicate."),
    Standing.NOBODY_LEFT: (
        "Nobody left to ask",
        "Everybody in the batch has met these items, or they were discussed or have gold answers.",
    ),
    Standing.NO_BUDGET: ("Over the budget", "They stay open: decide them under Adjudicate."),
}


def _shown(state: OverlapState) -> list[tuple[str, str, int]]:
    """In words, how many items are where; what no item is at is left out, but for those that are sure."""
    return [
        (label, note, state.counts[standing])
        for standing, (label, note) in _WORDS.items()
        if state.counts[standing] or standing is Standing.SURE
    ]
