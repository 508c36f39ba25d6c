"""How much gold, and how much agreement, is needed, for programs."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from ninja import Field, Query, Router, Schema
from ninja.errors import HttpError

from analysis.errors import NotAnalysable
from backend.core.studies.access import RESEARCHER, study_of
from backend.decide.releases.selectors import release_numbered
from backend.publish.planning.edition_bridge import bridge_releases
from backend.publish.planning.selectors import planned_agreement, planned_tables, report_for_planning

router = Router(auth=RESEARCHER)
bridge_router = Router(auth=RESEARCHER)


class WidthWithMore(Schema):
    more: int = Field(description="Gold labels drawn evenly, beside those that are there.")
    width: float


class PlannedEstimateOut(Schema):
    code: str
    other: str
    where: str
    measure: str
    value: float
    width: float
    effective_gold: float
    narrowest: float = Field(description="What no amount of gold makes narrower.")
    curve: list[WidthWithMore]
    more_for_width: int | None = Field(
        None, description="For the width asked for; null if no gold is enough."
    )


class GoldPlanOut(Schema):
    report: int
    tables: dict[str, list[PlannedEstimateOut]] = Field(description="By the name of the question's tables.")


class AgreementAsked(Schema):
    kappa: float = Field(gt=0, lt=1)
    null: float | None = Field(None, gt=0, lt=1)
    width: float | None = Field(None, gt=0)
    share: float = Field(0.5, gt=0, lt=1)
    raters: int = Field(2, ge=2, le=20)


class WidthWithItems(Schema):
    n_items: int
    width: float


class AgreementPlanOut(Schema):
    kappa: float
    share: float
    n_raters: int
    null: float | None
    n_items_to_tell: int | None
    n_items_the_other_way: int | None = Field(
        description="To show that it is not `kappa` if it is in truth `null`."
    )
    width: float | None
    n_items_for_width: int | None
    widths: list[WidthWithItems]


@router.get("", response=GoldPlanOut)
def plan_gold(request: HttpRequest, report: int | None = None, width: float | None = None) -> GoldPlanOut:
    """What more gold would make of the corrected intervals of a report, by default the newest."""
    found = report_for_planning(study_of(request).slug, report)
    if found is None:
        raise HttpError(404, "There is no such report: make one with a release, whose gold corrects it.")
    tables = {
        name: [PlannedEstimateOut.model_validate(each.as_dict(width)) for each in table.estimates]
        for name, table in planned_tables(found).items()
    }
    return GoldPlanOut(report=found.number, tables=tables)


@router.get("/agreement", response=AgreementPlanOut)
def plan_agreement(request: HttpRequest, asked: Query[AgreementAsked]) -> AgreementPlanOut:
    """On how many items agreement has to be measured."""
    from annotation.agreement.planning import PlanImpossible

    try:
        needs = planned_agreement(
            kappa=asked.kappa, share=asked.share, n_raters=asked.raters, null=asked.null, width=asked.width
        )
    except PlanImpossible as problem:
        raise HttpError(422, str(problem)) from problem
    return AgreementPlanOut.model_validate(needs.as_dict())


class BridgeAsked(Schema):
    old: int = Field(description="Number of the release under the old edition, with all items.")
    new: int = Field(description="Number of the release with what was judged again.")
    half_width: float = Field(0.05, gt=0, lt=0.5)


@bridge_router.get("")
def bridge_editions_of_releases(request: HttpRequest, asked: Query[BridgeAsked]) -> HttpResponse:
    """Shares under the new edition: by the old labels, from the sample alone and corrected, and how much is needed."""
    study = study_of(request)
    try:
        found = bridge_releases(
            release_numbered(study, asked.old), release_numbered(study, asked.new), asked.half_width
        )
    except NotAnalysable as problem:
        raise HttpError(422, str(problem)) from problem
    return HttpResponse(found.as_json(), content_type="application/json")
