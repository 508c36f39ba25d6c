"""Calls that freeze a study's plan and hold it against what was done."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec
from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Router, Schema, Status

from analysis.preregistration import Plan, PlannedContrast, PlannedRule, PlannedSample
from annotation.agreement.trust_rule import Bound
from backend.core.accounts.access import user_of
from backend.core.studies.access import RESEARCHER, study_of
from backend.design.codebooks.selectors import edition_numbered
from backend.publish.preregistration.models import Preregistration
from backend.publish.preregistration.selectors import comparison_of, plan_numbered, planned_edition, plans_of
from backend.publish.preregistration.services import freeze_plan

router = Router(auth=RESEARCHER)


class SampleIn(Schema):
    corpus: str
    kind: str = Field(description="The design: pps_posts, uniform_pairs or whole_posts.")
    n_items: int = Field(ge=1, description="Over all communities together.")


class RuleIn(Schema):
    measure: str
    bound: Bound
    at_least: float = Field(ge=-1, le=1)


class ContrastIn(Schema):
    section: str = Field(description="A section of reports.")
    codes: list[str] = Field(
        default_factory=list, description="Which codes it is about; all, if none is named."
    )


class PlanIn(Schema):
    edition: int = Field(description="Number of the edition of the codebook.")
    samples: list[SampleIn] = Field(default_factory=list)
    agreement_rule: RuleIn
    learners: list[str] = Field(default_factory=list)
    contrasts: list[ContrastIn] = Field(default_factory=list)
    epsilon: float | None = Field(default=None, ge=0, le=1)
    note: str = Field(default="", max_length=20_000)


class FrozenPlanOut(Schema):
    number: int
    hash: str
    plan: dict[str, Any]
    created_at: datetime
    created_by: str

    @classmethod
    def of(cls, found: Preregistration) -> FrozenPlanOut:
        return cls(
            number=found.number,
            hash=found.hash,
            plan=msgspec.to_builtins(found.plan),
            created_at=found.created_at,
            created_by=found.created_by.username,
        )


class PlanComparisonOut(Schema):
    what: str
    planned: str
    done: str
    outcome: str
    is_deviation: bool


@router.get("", response=list[FrozenPlanOut])
def list_plans(request: HttpRequest) -> list[FrozenPlanOut]:
    """Newest first: the first holds."""
    return [FrozenPlanOut.of(found) for found in plans_of(study_of(request))]


@router.post("", response={201: FrozenPlanOut})
def freeze(request: HttpRequest, body: PlanIn) -> Status[FrozenPlanOut]:
    """Refused once annotators have submitted answers."""
    study = study_of(request)
    rule = body.agreement_rule
    plan = Plan(
        edition=planned_edition(edition_numbered(study, body.edition)),
        samples=tuple(PlannedSample(each.corpus, each.kind, each.n_items) for each in body.samples),
        agreement_rule=PlannedRule(rule.measure, rule.bound.value, rule.at_least),
        learners=tuple(body.learners),
        contrasts=tuple(PlannedContrast(each.section, tuple(each.codes)) for each in body.contrasts),
        epsilon=body.epsilon,
        note=body.note,
    )
    found = freeze_plan(study=study, plan=plan, actor=user_of(request), now=timezone.now())
    return Status(201, FrozenPlanOut.of(found))


@router.get("{int:number}", response=FrozenPlanOut)
def read_one(request: HttpRequest, number: int) -> FrozenPlanOut:
    return FrozenPlanOut.of(plan_numbered(study_of(request), number))


@router.get("{int:number}/comparison", response=list[PlanComparisonOut])
def read_comparison(request: HttpRequest, number: int) -> list[dict[str, object]]:
    """What was planned, what was done up to now, and every deviation."""
    return [
        {
            "what": each.what,
            "planned": each.planned,
            "done": each.done,
            "outcome": each.outcome.value,
            "is_deviation": each.outcome.is_deviation,
        }
        for each in comparison_of(plan_numbered(study_of(request), number))
    ]
