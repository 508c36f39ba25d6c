"""What pages, calls and services read about adapters."""

from __future__ import annotations

from django.db.models import Max, QuerySet
from django.http import Http404

from annotation.agreement.trust_rule import Bound
from backend.core.studies.models import Study
from backend.learn.models.models import (
    Adapter,
    AdapterEvent,
    AdapterState,
    EventKind,
    PromotionReport,
    StudyPromotionRule,
)
from learning.promotion.rule import PromotionRule

ENTERED = (EventKind.PROMOTED, EventKind.OVERRIDDEN)


def adapters_of(study: Study) -> QuerySet[Adapter]:
    """Newest first."""
    return study.adapters.select_related("study", "release", "edition", "created_by", "parent")


def adapter_in_service(study: Study) -> Adapter | None:
    return adapters_of(study).filter(state=AdapterState.IN_SERVICE).first()


def adapter_numbered(study: Study, number: int) -> Adapter:
    found = adapters_of(study).filter(number=number).first()
    if found is None:
        raise Http404(f"This study has no adapter {number}.")
    return found


def predecessor(adapter: Adapter) -> Adapter | None:
    """What was in service before this one entered, by whatever came of the examination: going back does not count."""
    entered = AdapterEvent.objects.filter(adapter=adapter, kind__in=ENTERED).first()
    return entered.replaced if entered else None


def next_number(study: Study) -> int:
    newest: int | None = study.adapters.aggregate(newest=Max("number"))["newest"]
    return (newest or 0) + 1


def promotion_rule_of(study: Study) -> PromotionRule:
    """The default until somebody changes it."""
    row = StudyPromotionRule.objects.filter(study=study).first()
    if row is None:
        return PromotionRule()
    return PromotionRule(
        least_gain=row.least_gain,
        bound=Bound(row.bound),
        largest_drop=row.largest_drop,
        resamples=row.resamples,
    )


def reports_of(study: Study) -> QuerySet[PromotionReport]:
    """Newest first."""
    return study.promotion_reports.select_related(
        "candidate", "incumbent", "release__edition", "created_by", "study", "look__ledger"
    )


def report_of(study: Study, pk: int) -> PromotionReport:
    found = reports_of(study).filter(pk=pk).first()
    if found is None:
        raise Http404("This study has no such promotion report.")
    return found
