"""How an adapter came to be used, in words: what the promotion rule found, and if it was overridden, why.

Stands wherever the numbers of a model do, so that nobody takes one that was put in service by hand for one that passed.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from backend.core.studies.models import Study
from backend.learn.models.examining import verdict_of
from backend.learn.models.models import Adapter, AdapterEvent, EventKind, PromotionReport
from backend.learn.models.selectors import ENTERED, adapters_of, reports_of


@dataclass(frozen=True, slots=True)
class Promotion:
    """`has_passed` is None where the rule was never asked; `is_override` where somebody put it in service all
    the same."""

    has_passed: bool | None
    is_override: bool
    words: str


def promotion_of(adapter: Adapter, *, until: datetime | None = None) -> Promotion:
    """As it stood then, else now. Rows of events and reports never change, so that the same time gives the same
    words."""
    events = AdapterEvent.objects.filter(adapter=adapter, kind__in=ENTERED)
    reports = reports_of(adapter.study).filter(candidate=adapter)
    if until is not None:
        events, reports = events.filter(at__lte=until), reports.filter(created_at__lte=until)
    entered = events.select_related("promotion_report__release__edition").first()
    report = (entered.promotion_report if entered else None) or reports.first()
    name = f"The model, “{adapter.name}”,"
    if entered and entered.kind == EventKind.OVERRIDDEN:
        return Promotion(report.passed if report else None, True, _overridden(name, entered, report))
    if entered:
        return Promotion(True, False, f"{name} passed the study's promotion rule before it entered service.")
    if report is None:
        return Promotion(
            None, False, f"{name} was not in service, and was never held against the promotion rule."
        )
    if report.passed:
        return Promotion(True, False, f"{name} was not in service; it passed the study's promotion rule.")
    words = f"{name} was not in service: it did not pass the study's promotion rule.{_failed_checks(report)}"
    return Promotion(False, False, words)


def overrides_of(study: Study) -> dict[int, Promotion]:
    """By adapter, of those that were put in service against the rule the last time they entered it."""
    by_hand = AdapterEvent.objects.filter(adapter__study=study, kind=EventKind.OVERRIDDEN)
    ever = adapters_of(study).filter(pk__in=by_hand.values("adapter"))
    found = {adapter.pk: promotion_of(adapter) for adapter in ever}
    return {pk: promotion for pk, promotion in found.items() if promotion.is_override}


def _overridden(name: str, entered: AdapterEvent, report: PromotionReport | None) -> str:
    reason = " ".join(entered.reason.split()).rstrip(".")
    by_hand = (
        f"{name} was put in service by hand, against the study's promotion rule. Reason given: “{reason}”."
    )
    if report is None:
        return f"{by_hand} It was never held against the rule."
    if report.passed:
        return f"{by_hand} It had passed the rule against another model or by another version of the rule."
    return f"{by_hand} It did not pass the rule.{_failed_checks(report)}"


def _failed_checks(report: PromotionReport) -> str:
    """The checks that failed or could not be made."""
    return "".join(
        f" {check.name.value}: {'no' if check.passed is False else 'not known'}. {check.words}"
        for check in verdict_of(report).checks
        if not check.passed
    )
