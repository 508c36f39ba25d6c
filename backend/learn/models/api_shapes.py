"""What calls about adapters take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec
from ninja import Field, Schema

from annotation.agreement.trust_rule import Bound
from annotation.release.rows import SplitPart
from backend.learn.models.examining import verdict_of
from backend.learn.models.grids import GridRow, validation_score
from backend.learn.models.ledger import LedgerState
from backend.learn.models.models import (
    Adapter,
    AdapterComparison,
    AdapterState,
    ContextProbe,
    PromotionLook,
    PromotionReport,
)
from backend.learn.models.probing import probed_names
from learning.probe.words import probe_sentence
from learning.promotion.rule import RESAMPLES, PromotionRule


class AdapterOut(Schema):
    """`validation_score` is the mean over themes by the measure of most of them; `parent` is the adapter that training
    began from."""

    number: int
    adapter_id: str
    name: str
    learner: str
    release: int
    edition: int
    parent: int | None
    state: AdapterState
    seed: int
    config: dict[str, Any]
    validation_score: float | None
    created_at: datetime

    @classmethod
    def of(cls, adapter: Adapter) -> AdapterOut:
        return cls(**_fields(adapter))


class WholeAdapterOut(AdapterOut):
    """With the card as it lies in the folder."""

    card: dict[str, Any]

    @classmethod
    def whole(cls, adapter: Adapter) -> WholeAdapterOut:
        return cls(**_fields(adapter), card=msgspec.json.decode(adapter.card))


def _fields(adapter: Adapter) -> dict[str, Any]:
    card = adapter.read_card()
    score = validation_score(adapter)
    return {
        "number": adapter.number,
        "adapter_id": adapter.adapter_id,
        "name": adapter.name,
        "learner": adapter.learner,
        "release": adapter.release.number,
        "edition": adapter.edition.number,
        "parent": adapter.parent.number if adapter.parent else None,
        "state": adapter.state,
        "seed": card.seed,
        "config": card.config,
        "validation_score": score.value if score else None,
        "created_at": adapter.created_at,
    }


class PromotionCheckOut(Schema):
    asked: str
    passed: bool | None
    words: str


class PromotionLookOut(Schema):
    """What a comparison spent of its test set's level. `p` is how often chance alone makes such a gain."""

    test_set: int
    number: int
    at: datetime
    candidate: int
    incumbent: int | None
    n_items: int
    n_posts: int
    gain: float
    p: float
    level: float
    passed: bool

    @classmethod
    def of(cls, look: PromotionLook) -> PromotionLookOut:
        return cls(
            test_set=look.ledger.number,
            number=look.number,
            at=look.at,
            candidate=look.candidate.number,
            incumbent=look.incumbent.number if look.incumbent else None,
            n_items=look.n_items,
            n_posts=look.n_posts,
            gain=look.gain,
            p=look.p,
            level=look.level,
            passed=look.passed,
        )


class PromotionTestSetOut(Schema):
    """What its looks have spent of 5%, and what the next one asks for; `gain_needed` is about how much, as a share."""

    number: int
    begun_at: datetime
    n_posts: int
    n_looks: int
    spent: float
    left: float
    next_level: float
    gain_needed: float | None
    is_worn_out: bool
    fresh_posts_needed: int
    looks: list[PromotionLookOut]

    @classmethod
    def of(cls, state: LedgerState) -> PromotionTestSetOut:
        return cls(
            number=state.ledger.number,
            begun_at=state.ledger.opened_at,
            n_posts=state.n_posts,
            n_looks=state.n_looks,
            spent=state.spent,
            left=state.left,
            next_level=state.next_level,
            gain_needed=state.gain_needed,
            is_worn_out=state.is_worn_out,
            fresh_posts_needed=state.fresh_needed,
            looks=[PromotionLookOut.of(look) for look in state.looks],
        )


class PromotionReportOut(Schema):
    """`findings` is everything that was measured, with intervals; `look` is missing where nothing was spent."""

    id: int
    candidate: int
    incumbent: int | None
    passed: bool
    rule: dict[str, Any]
    checks: list[PromotionCheckOut]
    findings: dict[str, Any]
    look: PromotionLookOut | None
    created_at: datetime

    @classmethod
    def of(cls, report: PromotionReport) -> PromotionReportOut:
        return cls(
            id=report.pk,
            candidate=report.candidate.number,
            incumbent=report.incumbent.number if report.incumbent else None,
            passed=report.passed,
            rule=report.rule,
            checks=[
                PromotionCheckOut(asked=check.name, passed=check.passed, words=check.words)
                for check in verdict_of(report).checks
            ],
            findings=msgspec.json.decode(report.content),
            look=PromotionLookOut.of(report.look) if report.look else None,
            created_at=report.created_at,
        )


class PromotionRuleShape(Schema):
    """Gains and drops as shares: 0.01 is one point."""

    least_gain: float = Field(0.0, ge=0, lt=1)
    bound: Bound = Field(
        Bound.LOW, description="“low”: the lower end of the 95% interval, and the level of the look."
    )
    largest_drop: float = Field(0.1, ge=0, le=1)
    resamples: int = Field(RESAMPLES, ge=100, le=10_000)

    @classmethod
    def of(cls, rule: PromotionRule) -> PromotionRuleShape:
        return cls(
            least_gain=rule.least_gain,
            bound=rule.bound,
            largest_drop=rule.largest_drop,
            resamples=rule.resamples,
        )

    def rule(self) -> PromotionRule:
        return PromotionRule(
            least_gain=self.least_gain,
            bound=self.bound,
            largest_drop=self.largest_drop,
            resamples=self.resamples,
        )


class PromoteIn(Schema):
    reason: str = Field(
        "", max_length=2000, description="Needed only against the promotion rule; it is kept."
    )


class ContextProbeOut(Schema):
    """`sentence` is the one for papers; `report` everything that was measured, with intervals."""

    id: int
    sentence: str
    report: dict[str, Any]
    created_at: datetime

    @classmethod
    def of(cls, probe: ContextProbe) -> ContextProbeOut:
        return cls(
            id=probe.pk,
            sentence=probe_sentence(probe.read_report(), probed_names(probe.adapter)),
            report=msgspec.json.decode(probe.content),
            created_at=probe.created_at,
        )


class CompareIn(Schema):
    first: int
    second: int
    part: SplitPart = SplitPart.TEST


class ComparisonOut(Schema):
    """`comparison` is first minus second, theme by theme and on average."""

    id: int
    first: int
    second: int
    part: SplitPart
    comparison: dict[str, Any]

    @classmethod
    def of(cls, found: AdapterComparison) -> ComparisonOut:
        return cls(
            id=found.pk,
            first=found.first.number,
            second=found.second.number,
            part=SplitPart(found.part),
            comparison=msgspec.json.decode(found.content),
        )


class GridRowOut(Schema):
    job: int
    state: str
    learning_rate: float | None
    seed: int
    adapter: int | None
    validation_score: float | None
    is_best: bool

    @classmethod
    def of(cls, row: GridRow) -> GridRowOut:
        return cls(
            job=row.job.pk,
            state=row.job.state,
            learning_rate=row.rate,
            seed=row.request.seed,
            adapter=row.adapter.number if row.adapter else None,
            validation_score=row.score.value if row.score else None,
            is_best=row.is_best,
        )


class GridOut(Schema):
    number: int
    learner: str
    release: int
    trainings: list[GridRowOut]
