"""Works out what a request would give to whom, from the study as it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from annotation.adaptive_overlap import OverlapPolicy
from annotation.assignment import choose_items, deal_seats, deal_shares, deal_to_all
from backend.annotate.batches import errors
from backend.annotate.batches.candidates import annotators_of, own_submitted_items, researching
from backend.annotate.batches.errors import TooFewItems
from backend.annotate.batches.models import BatchKind
from backend.annotate.batches.plans import BatchPlan, counted_codes, plan_of
from backend.annotate.batches.pools import Pool, pool_for
from backend.annotate.batches.requests import BatchRequest
from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import codebook_of, edition_in_force


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
    plan = plan_of(kind, edition, annotators, dealt, left_out=left_out)
    return replace(plan, policy=_policy(request, plan)) if kind == BatchKind.ADAPTIVE else plan


def people_named(study: Study, usernames: Sequence[str]) -> list[User]:
    """Annotators of the study by their log-in names."""
    found = list(annotators_of(study).filter(username__in=usernames))
    missing = sorted(set(usernames) - {user.username for user in found})
    if missing:
        raise errors.UnknownAnnotator(missing)
    return found


def _policy(request: BatchRequest, plan: BatchPlan) -> OverlapPolicy:
    """Refused where nobody could ever be asked again."""
    policy = request.overlap_policy
    if not counted_codes(codebook_of(plan.edition)):
        raise errors.OnlyRatings
    if not policy.start_with < policy.at_most:
        raise errors.NobodyToAskAgain(policy.start_with)
    if policy.at_most > len(plan.shares):
        raise errors.TooFewToAsk(len(plan.shares), policy.at_most)
    if policy.budget is not None and policy.budget <= plan.n_assigned:
        raise errors.BudgetTooSmall(policy.budget, plan.n_assigned)
    return policy


def _first_time(request: BatchRequest, kind: BatchKind, pool: Pool, annotators: list[str]) -> Shares:
    if kind in (BatchKind.PRACTICE, BatchKind.OVERLAP):
        return same_to_all(pool.items, annotators, request.n, request.seed)
    if kind == BatchKind.ADAPTIVE:
        return first_seats(pool.items, annotators, request)
    n = None if kind == BatchKind.ACTIVE else request.n
    return disjoint_shares(pool.items, annotators, n, request.seed)


def _recheck(edition: Edition, request: BatchRequest, annotators: list[User], now: datetime) -> Shares:
    if request.n is None:
        raise errors.NumberMissing
    if readers := researching(annotators, edition.study):
        raise errors.MayHaveRead([str(user) for user in readers])
    pools = own_submitted_items(edition, annotators, now - timedelta(days=request.submitted_days_ago))
    for annotator in annotators:
        if len(pools[annotator.username]) < request.n:
            raise errors.TooFewOwnItems(str(annotator), len(pools[annotator.username]), request.n)
    return own_again(pools, request.n, request.seed)


# The rules by which each kind of batch deals its items: pure, fair, and repeated by the seed.
Shares = dict[str, tuple[str, ...]]


def same_to_all(pool: Sequence[str], annotators: Sequence[str], n: int | None, seed: int) -> Shares:
    """n items (or all), the same for everybody, each in an order of their own."""
    return deal_to_all(_choose(pool, n, seed), annotators, seed)


def first_seats(pool: Sequence[str], annotators: Sequence[str], request: BatchRequest) -> Shares:
    """n items (or all), each to as many annotators as it starts with."""
    if len(annotators) <= request.start_with:
        raise errors.TooFewToAsk(len(annotators), request.at_most)
    chosen = _choose(pool, request.n, request.seed)
    return deal_seats(request.overlap_policy.seats(chosen, request.seed), annotators, request.seed)


def disjoint_shares(pool: Sequence[str], annotators: Sequence[str], n: int | None, seed: int) -> Shares:
    """n items for each, or all of the pool in shares whose sizes differ by at most one."""
    chosen = _choose(pool, None if n is None else n * len(annotators), seed)
    if len(chosen) < len(annotators):
        raise TooFewItems(len(chosen), len(annotators))
    return deal_shares(chosen, annotators, seed)


def own_again(pools: Mapping[str, Sequence[str]], n: int, seed: int) -> Shares:
    """n items for each from a pool of their own, in an order that owes nothing to the first time."""
    dealt: Shares = {}
    for annotator, pool in pools.items():
        dealt |= deal_to_all(choose_items(pool, n, seed), [annotator], seed)
    return dealt


def _choose(pool: Sequence[str], n: int | None, seed: int) -> tuple[str, ...]:
    wanted = len(pool) if n is None else n
    if len(pool) < max(wanted, 1):
        raise TooFewItems(len(pool), max(wanted, 1))
    return choose_items(pool, wanted, seed)
