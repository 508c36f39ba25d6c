"""What brings adapters into service and out of it, and what changes the rule; each change leaves a line of history."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from django.db import transaction

from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.core.studies.services import record_event
from backend.learn.models.errors import (
    InServiceAlready,
    NothingInService,
    NothingToGoBackTo,
    ReasonNeeded,
    ReportOfAnother,
    ReportOutdated,
    RetiredAlready,
    RuleNotMet,
    RuleOutOfReach,
)
from backend.learn.models.hooks import service_changed
from backend.learn.models.models import (
    Adapter,
    AdapterEvent,
    AdapterState,
    EventKind,
    PromotionReport,
    StudyPromotionRule,
)
from backend.learn.models.selectors import adapter_in_service, predecessor, promotion_rule_of
from backend.learn.models.service_file import write_service_file
from backend.learn.models.today import Today
from learning.promotion.rule import PromotionRule


@transaction.atomic
def promote(
    *,
    adapter: Adapter,
    report: PromotionReport | None,
    override_reason: str = "",
    actor: User | None,
    now: datetime,
) -> Adapter:
    """By a report that it passed, against what is in service now and by the rule of now; or, with a reason, against
    the promotion rule."""
    study = _lock_study(adapter.study)
    current = adapter_in_service(study)
    if current == adapter:
        raise InServiceAlready(adapter.name)
    reason = override_reason.strip()
    if not reason:
        _refuse_unless_passed(adapter, report, Today(current, promotion_rule_of(study)))
    kind = EventKind.OVERRIDDEN if reason else EventKind.PROMOTED
    return _enter(adapter, current, kind, report, reason, actor, now)


def _refuse_unless_passed(adapter: Adapter, report: PromotionReport | None, today: Today) -> None:
    if report is None:
        raise ReasonNeeded
    if report.candidate_id != adapter.pk:
        raise ReportOfAnother
    if not today.holds(report):
        raise ReportOutdated
    if not report.passed:
        raise RuleNotMet


@transaction.atomic
def roll_back(*, study: Study, actor: User | None, now: datetime) -> Adapter:
    """The adapter that was in service before comes back, without being asked anything."""
    study = _lock_study(study)
    current = adapter_in_service(study)
    if current is None:
        raise NothingInService
    before = predecessor(current)
    if before is None:
        raise NothingToGoBackTo(current.name)
    return _enter(before, current, EventKind.ROLLED_BACK, None, "", actor, now)


@transaction.atomic
def retire(*, adapter: Adapter, reason: str = "", actor: User | None, now: datetime) -> Adapter:
    """If it was in service, none is afterwards."""
    study = _lock_study(adapter.study)
    adapter.refresh_from_db()
    if adapter.state == AdapterState.RETIRED:
        raise RetiredAlready(adapter.name)
    was_in_service = adapter.state == AdapterState.IN_SERVICE
    _set_state(adapter, AdapterState.RETIRED)
    _record(adapter, None, EventKind.RETIRED, None, reason.strip(), actor, now)
    if was_in_service:
        _tell(study, None, now)
    return adapter


@transaction.atomic
def change_promotion_rule(*, study: Study, rule: PromotionRule, actor: User, now: datetime) -> PromotionRule:
    """Reports stay as they are and let nothing into service any more; the next one follows the new rule."""
    if not (0 <= rule.least_gain < 1 and 0 <= rule.largest_drop <= 1 and 100 <= rule.resamples <= 10_000):
        raise RuleOutOfReach
    if rule == promotion_rule_of(study):
        return rule
    fields = {
        "least_gain": rule.least_gain,
        "bound": rule.bound.value,
        "largest_drop": rule.largest_drop,
        "resamples": rule.resamples,
    }
    StudyPromotionRule.objects.update_or_create(study=study, defaults=fields)
    record_event(study=study, actor=actor, summary=f"Adapters enter service by another rule: {rule}", now=now)
    return rule


def _lock_study(study: Study) -> Study:
    """Of two people who change what is in service at once, the second sees what the first did."""
    return Study.objects.select_for_update().get(pk=study.pk)


def _enter(
    adapter: Adapter,
    current: Adapter | None,
    kind: EventKind,
    report: PromotionReport | None,
    reason: str,
    actor: User | None,
    now: datetime,
) -> Adapter:
    if current is not None:
        _set_state(current, AdapterState.RETIRED)
    _set_state(adapter, AdapterState.IN_SERVICE)
    _record(adapter, current, kind, report, reason, actor, now)
    _tell(adapter.study, adapter, now)
    return adapter


def _set_state(adapter: Adapter, state: AdapterState) -> None:
    adapter.state = state
    adapter.save(update_fields=["state"])


def _record(
    adapter: Adapter,
    replaced: Adapter | None,
    kind: EventKind,
    report: PromotionReport | None,
    reason: str,
    actor: User | None,
    now: datetime,
) -> None:
    AdapterEvent.objects.create(
        study=adapter.study,
        adapter=adapter,
        replaced=replaced,
        kind=kind,
        promotion_report=report,
        reason=reason,
        actor=actor,
        at=now,
    )
    summary = f"{kind.label}: adapter {adapter.number}, “{adapter.name}”"
    record_event(study=adapter.study, actor=actor, summary=summary, now=now)


def _tell(study: Study, adapter: Adapter | None, now: datetime) -> None:
    service_changed(study, adapter, now)
    transaction.on_commit(partial(write_service_file, study))
