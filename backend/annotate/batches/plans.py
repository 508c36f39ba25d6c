"""What a batch would be: who gets which items, under a hash that changes when any of it does."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

from backend.annotate.batches.models import BatchKind
from backend.core.accounts.models import User
from backend.design.codebooks.models import Edition


@dataclass(frozen=True, slots=True)
class Share:
    """Item ids in the order in which the annotator gets them."""

    annotator: User
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BatchPlan:
    """`left_out` items could have been dealt, but the codebook asks nothing about them."""

    kind: BatchKind
    edition: Edition
    shares: tuple[Share, ...]
    left_out: int = 0

    @property
    def items(self) -> frozenset[str]:
        return frozenset(item for share in self.shares for item in share.items)

    @property
    def n_assigned(self) -> int:
        return sum(len(share.items) for share in self.shares)

    @property
    def hash(self) -> str:
        """Says whether two plans give the same items to the same people in the same order."""
        shares = {share.annotator.username: share.items for share in self.shares}
        said = json.dumps([self.kind, self.edition.hash, shares], sort_keys=True)
        return hashlib.sha256(said.encode()).hexdigest()


def plan_of(
    kind: BatchKind,
    edition: Edition,
    annotators: Mapping[str, User],
    dealt: Mapping[str, tuple[str, ...]],
    *,
    left_out: int,
) -> BatchPlan:
    shares = tuple(Share(annotators[name], dealt[name]) for name in sorted(annotators))
    return BatchPlan(kind, edition, shares, left_out)
