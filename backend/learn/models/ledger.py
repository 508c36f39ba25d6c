"""The ledger of a study's looks at its test sets: what each spent, what it found, and what is left."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.http import Http404

from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.learn.models.models import Adapter, PromotionLedger, PromotionLook
from learning.alpha_spending import (
    LEVEL,
    fine_percent,
    is_worn_out,
    left_after,
    level_of_look,
    standard_errors_asked,
)
from learning.promotion.ledger import KnownSet, Look, evidence_of, fresh_among, fresh_posts_needed, paying_set
from learning.promotion.rule import PromotionRule
from learning.promotion.verdict import LEAST_POSTS
from learning.scoring.values import Difference
from learning.tasks.contract import ExamineResult


def take_look(
    *,
    candidate: Adapter,
    incumbent: Adapter | None,
    result: ExamineResult,
    gain: Difference | None,
    rule: PromotionRule,
    actor: User | None,
    now: datetime,
) -> PromotionLook | None:
    """Spends a part of the test set's level, within the caller's transaction; the same evidence is not spent for again.

    None where there is nothing to decide by: then nothing is spent.
    """
    comparison, chance = result.findings.comparison, result.findings.chance
    if comparison is None or chance is None or comparison.n_posts < LEAST_POSTS:
        return None
    study = Study.objects.select_for_update().get(pk=candidate.study_id)
    opponent = incumbent.adapter_id if incumbent else None
    evidence = evidence_of(candidate.adapter_id, opponent, comparison.gold_hash, rule.least_gain)
    known = looks_of(study).filter(evidence=evidence).first()
    if known is not None:
        return known
    sets = known_sets(study)
    ledger = _ledger(study, paying_set(result.posts, sets), result.posts, now)
    number = ledger.looks.count() + 1
    level = level_of_look(number)
    return PromotionLook.objects.create(
        study=study,
        ledger=ledger,
        number=number,
        evidence=evidence,
        gold_hash=comparison.gold_hash,
        candidate=candidate,
        incumbent=incumbent,
        n_items=comparison.n_items,
        n_posts=comparison.n_posts,
        n_fresh=len(fresh_among(result.posts, sets)),
        level=level,
        p=chance.p,
        gain=(gain.value if gain else None) or 0.0,
        spread=chance.spread,
        passed=chance.p <= level,
        actor=actor,
        at=now,
    )


def _ledger(study: Study, paying: KnownSet | None, posts: tuple[str, ...], now: datetime) -> PromotionLedger:
    if paying is not None:
        return ledger_numbered(study, paying.number)
    number = study.promotion_ledgers.count() + 1
    return PromotionLedger.objects.create(study=study, number=number, posts=list(posts), opened_at=now)


def known_sets(study: Study) -> list[KnownSet]:
    rows = study.promotion_ledgers.values_list("number", "posts")
    return [KnownSet(number, frozenset(posts)) for number, posts in rows]


def looks_of(study: Study) -> QuerySet[PromotionLook]:
    """Newest first within each ledger."""
    return study.promotion_looks.select_related("ledger", "candidate", "incumbent", "actor")


def ledger_numbered(study: Study, number: int) -> PromotionLedger:
    found = study.promotion_ledgers.filter(number=number).first()
    if found is None:
        raise Http404(f"This study has no test set {number}.")
    return found


def look_in_words(row: PromotionLook | None) -> Look | None:
    """As the verdict takes it."""
    return Look(test_set=row.ledger.number, number=row.number, p=row.p) if row else None


@dataclass(frozen=True, slots=True)
class LedgerState:
    """What a ledger has spent, and what the next look asks for.

    `gain_needed` is about how much better a candidate has to be now, if it differs from the one in service as much as
    the last two models did; None where no two models differed yet.
    """

    ledger: PromotionLedger
    looks: tuple[PromotionLook, ...]
    left: float
    next_level: float
    first_gain_needed: float | None
    gain_needed: float | None
    is_worn_out: bool
    fresh_needed: int

    @property
    def words(self) -> str:
        """What is left, and what the next look asks for."""
        looks = "1 look has" if self.n_looks == 1 else f"{self.n_looks:,} looks have"
        said = (
            f"{looks} spent {fine_percent(self.spent)} of {fine_percent(LEVEL)}; {fine_percent(self.left)} is left. "
            f"The next look allows {fine_percent(self.next_level)}"
        )
        if self.gain_needed is None or self.first_gain_needed is None:
            return f"{said}."
        return (
            f"{said}: between models that differ as much as the last two, that takes a gain of about "
            f"{100 * self.gain_needed:.1f} points, where the first look asked for {100 * self.first_gain_needed:.1f}."
        )

    @property
    def refresh_words(self) -> str:
        """What begins another ledger."""
        return (
            f"Another test set, with a level of its own, begins with {self.fresh_needed:,} more posts that no test set "
            "began with: judge blind items, or freeze a release with new items in its test part."
        )

    @property
    def n_looks(self) -> int:
        return len(self.looks)

    @property
    def spent(self) -> float:
        return LEVEL - self.left

    @property
    def n_posts(self) -> int:
        return len(self.ledger.posts)


def ledger_state(ledger: PromotionLedger, rule: PromotionRule) -> LedgerState:
    looks = tuple(ledger.looks.select_related("ledger", "candidate", "incumbent", "actor"))
    spread = next((look.spread for look in looks if look.spread > 0), None)
    gains = [
        None if spread is None else rule.least_gain + standard_errors_asked(number) * spread
        for number in (1, len(looks) + 1)
    ]
    return LedgerState(
        ledger=ledger,
        looks=looks,
        left=left_after(len(looks)),
        next_level=level_of_look(len(looks) + 1),
        first_gain_needed=gains[0],
        gain_needed=gains[1],
        is_worn_out=is_worn_out(len(looks)),
        fresh_needed=_fresh_needed(looks, len(ledger.posts)),
    )


def _fresh_needed(looks: tuple[PromotionLook, ...], n_posts: int) -> int:
    """How many posts more begin another ledger, if those of the last look stay."""
    if not looks:
        return fresh_posts_needed(n_posts)
    last = looks[0]
    fresh = 0 if last.number == 1 else last.n_fresh
    return fresh_posts_needed(last.n_posts - fresh) - fresh


def ledger_states(study: Study, rule: PromotionRule) -> list[LedgerState]:
    """Newest first."""
    return [ledger_state(ledger, rule) for ledger in study.promotion_ledgers.all()]
