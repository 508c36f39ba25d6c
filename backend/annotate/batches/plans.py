"""What a batch would be: who gets which items, under a hash that changes when any of it does."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from annotation.adaptive_overlap import OverlapPolicy
from annotation.adaptive_overlap_cost import ExpectedAnswers, expected_answers
from annotation.agreement.inputs import judged_codes
from backend.annotate.batches.models import BatchKind
from backend.core.accounts.models import User
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import codebook_of
from codebook.schema import AnswerKind, Codebook

# How probable it is that annotators are right about a theme: the plan of an adaptive overlap is shown for each.
TRIED_COMPETENCES = (0.95, 0.9, 0.8)


@dataclass(frozen=True, slots=True)
class Share:
    """Item ids in the order in which the annotator gets them."""

    annotator: User
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BatchPlan:
    """`left_out` items could have been dealt, but the codebook asks nothing about them. `policy` says when somebody
    else is asked too, in an adaptive overlap."""

    kind: BatchKind
    edition: Edition
    shares: tuple[Share, ...]
    left_out: int = 0
    policy: OverlapPolicy | None = None

    @property
    def items(self) -> frozenset[str]:
        return frozenset(item for share in self.shares for item in share.items)

    @property
    def n_assigned(self) -> int:
        return sum(len(share.items) for share in self.shares)

    @property
    def everybody(self) -> int:
        """How many answers it would take if all were asked about all."""
        return len(self.items) * len(self.shares)

    @property
    def most_answers(self) -> int:
        """What it can come to."""
        if self.policy is None:
            return self.n_assigned
        most = len(self.items) * self.policy.at_most
        return most if self.policy.budget is None else min(most, self.policy.budget)

    @property
    def expected(self) -> list[ExpectedAnswers]:
        """What an adaptive overlap is likely to come to, for annotators of several kinds."""
        if self.policy is None:
            return []
        n_items, n_codes = len(self.items), len(counted_codes(codebook_of(self.edition)))
        return [
            expected_answers(n_items=n_items, n_codes=n_codes, right=right, policy=self.policy)
            for right in TRIED_COMPETENCES
        ]

    @property
    def hash(self) -> str:
        """Says whether two plans give the same items to the same people in the same order."""
        shares = {share.annotator.username: share.items for share in self.shares}
        facts: list[object] = [self.kind, self.edition.hash, shares]
        if self.policy:
            facts.append(asdict(self.policy))
        said = json.dumps(facts, sort_keys=True)
        return hashlib.sha256(said.encode()).hexdigest()


def counted_codes(codebook: Codebook) -> dict[str, tuple[int, ...]]:
    """The possible values of each code of which one can be sure; between neighbours on a rating scale nobody is."""
    return {
        code.code_id: code.values for code in judged_codes(codebook) if code.answer is not AnswerKind.SCALE
    }


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
