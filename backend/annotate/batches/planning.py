"""Works out what a request would give to whom, from the study as it stands."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from backend.annotate.batches import errors
from backend.annotate.batches.candidates import annotators_of, own_submitted_items
from backend.annotate.batches.models import BatchKind
from backend.annotate.batches.plans import BatchPlan, plan_of
from backend.annotate.batches.pools import Pool, pool_for
from backend.annotate.batches.requests import BatchRequest
from backend.annotate.batches.shares import Shares, disjoint_shares, own_again, same_to_all
from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import edition_in_force


def plan_batch(*, study: Study, request: BatchRequest, now: datetime) -> BatchPlan:
    """The very batch that `open_batch` would store for the same request, without storing it."""
    edition = edition_in_force(study)
    annotators = {user.username: user for user in people_named(study, request.annotators)}
    if not annotators:
        raise errors.NoAnnotators
    kind = BatchKind(request.kind)
    if kind == BatchKind.RECHECK:
        dealt, left_out = _recheck(edition, request, list(annotators.values()), now), 0
    else:
        pool = pool_for(edition, request, sorted(annotators))
        dealt, left_out = _first_time(request, kind, pool, sorted(annotators)), pool.left_out
    return plan_of(kind, edition, annotators, dealt, left_out=left_out)


def people_named(study: Study, usernames: Sequence[str]) -> list[User]:
    """Annotators of the study by their log-in names."""
    found = list(annotators_of(study).filter(username__in=usernames))
    missing = sorted(set(usernames) - {user.username for user in found})
    if missing:
        raise errors.UnknownAnnotator(missing)
    return found


def _first_time(request: BatchRequest, kind: BatchKind, pool: Pool, annotators: list[str]) -> Shares:
    if kind in (BatchKind.PRACTICE, BatchKind.OVERLAP):
        return same_to_all(pool.items, annotators, request.n, request.seed)
    n = None if kind == BatchKind.ACTIVE else request.n
    return disjoint_shares(pool.items, annotators, n, request.seed)


def _recheck(edition: Edition, request: BatchRequest, annotators: list[User], now: datetime) -> Shares:
    if request.n is None:
        raise errors.NumberMissing
    pools = own_submitted_items(edition, annotators, now - timedelta(days=request.submitted_days_ago))
    for annotator in annotators:
        if len(pools[annotator.username]) < request.n:
            raise errors.TooFewOwnItems(str(annotator), len(pools[annotator.username]), request.n)
    return own_again(pools, request.n, request.seed)
