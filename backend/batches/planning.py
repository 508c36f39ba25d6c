"""Works out what a request would give to whom, from the study as it stands."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from backend.accounts.models import User
from backend.batches import errors
from backend.batches.candidates import (
    annotators_of,
    fresh_items,
    golden_items,
    own_submitted_items,
    used_items,
)
from backend.batches.models import BatchKind
from backend.batches.plans import BatchPlan, plan_of
from backend.batches.requests import BatchRequest
from backend.batches.selectors import unfinished_work
from backend.batches.shares import Shares, disjoint_shares, own_again, same_to_all
from backend.codebooks.models import Edition
from backend.codebooks.selectors import latest_edition
from backend.practice.selectors import items_with_gold
from backend.samples.models import Sample
from backend.studies.models import Study


def plan_batch(*, study: Study, request: BatchRequest, now: datetime) -> BatchPlan:
    """The very batch that `open_batch` would store for the same request, without storing it."""
    edition = latest_edition(study)
    if edition is None:
        raise errors.NoCodebook
    annotators = {user.username: user for user in people_named(study, request.annotators)}
    if not annotators:
        raise errors.NoAnnotators
    kind = BatchKind(request.kind)
    if kind == BatchKind.RECHECK:
        dealt = _recheck(edition, request, list(annotators.values()), now)
    else:
        dealt = _first_time(study, request, kind, edition, sorted(annotators))
    return plan_of(kind, edition, annotators, dealt)


def people_named(study: Study, usernames: Sequence[str]) -> list[User]:
    """Annotators of the study by their log-in names."""
    found = list(annotators_of(study).filter(username__in=usernames))
    missing = sorted(set(usernames) - {user.username for user in found})
    if missing:
        raise errors.UnknownAnnotator(missing)
    return found


def _first_time(
    study: Study, request: BatchRequest, kind: BatchKind, edition: Edition, annotators: list[str]
) -> Shares:
    if kind == BatchKind.PRACTICE:
        return same_to_all(_gold_items(study, edition, annotators), annotators, request.n, request.seed)
    if kind == BatchKind.ACTIVE:
        return disjoint_shares(_named_items(study, request.items), annotators, None, request.seed)
    pool = fresh_items(study, _samples(study, request.samples))
    deal = same_to_all if kind == BatchKind.OVERLAP else disjoint_shares
    return deal(pool, annotators, request.n, request.seed)


def _recheck(edition: Edition, request: BatchRequest, annotators: list[User], now: datetime) -> Shares:
    if request.n is None:
        raise errors.NumberMissing
    pools = own_submitted_items(edition, annotators, now - timedelta(days=request.submitted_days_ago))
    for annotator in annotators:
        if len(pools[annotator.username]) < request.n:
            raise errors.TooFewOwnItems(str(annotator), len(pools[annotator.username]), request.n)
    return own_again(pools, request.n, request.seed)


def _gold_items(study: Study, edition: Edition, annotators: Sequence[str]) -> list[str]:
    """Not while one of them has such an item to judge elsewhere: feedback would give the answer away."""
    golden = items_with_gold(study, edition)
    items = list(golden.values_list("item_id", flat=True))
    if not items:
        raise errors.NoGold
    open_elsewhere = (
        unfinished_work()
        .filter(item__in=golden.values("pk"), assignment__annotator__username__in=annotators)
        .exclude(assignment__batch__kind=BatchKind.PRACTICE)
        .select_related("item", "assignment__batch", "assignment__annotator")
    )
    place = open_elsewhere.order_by("assignment_id", "position").first()
    if place is not None:
        share = place.assignment
        raise errors.GoldStillAsked(share.batch.name, str(share.annotator), place.item.item_id)
    return items


def _samples(study: Study, names: Sequence[str]) -> list[Sample]:
    if not names:
        raise errors.NoSample
    found = list(study.samples.filter(name__in=names))
    missing = sorted(set(names) - {sample.name for sample in found})
    if missing:
        raise errors.UnknownSample(missing)
    return found


def _named_items(study: Study, item_ids: Sequence[str]) -> list[str]:
    if not item_ids:
        raise errors.NoItems
    known = set(study.items.filter(item_id__in=item_ids).values_list("item_id", flat=True))
    unknown = sorted(set(item_ids) - known)
    if unknown:
        raise errors.UnknownItems(unknown)
    golden = golden_items(study).filter(item_id__in=item_ids).values_list("item_id", flat=True)
    if golden:
        raise errors.ItemsHaveGold(sorted(set(golden)))
    taken = used_items(study).filter(item__item_id__in=item_ids).values_list("item__item_id", flat=True)
    if taken:
        raise errors.ItemsTaken(sorted(set(taken)))
    return sorted(known)
