"""What changes how a study adjudicates, and what puts a suspicion aside."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from annotation.answer_checks import reason_problems
from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.core.studies.services import record_event
from backend.decide.adjudication.errors import AlreadyDismissed, DecisionRefused, PlanOutOfRange, ReasonNeeded
from backend.decide.adjudication.models import AdjudicationPlan, Suspicion

HIGHEST_SEED = 2**63 - 1


@transaction.atomic
def change_plan(
    *,
    study: Study,
    evidence_threshold: float,
    second_share: float,
    seed: int,
    actor: User,
    now: datetime,
) -> AdjudicationPlan:
    if not 0 <= evidence_threshold <= 1:
        raise PlanOutOfRange("evidence threshold", "1")
    if not 0 <= second_share <= 1:
        raise PlanOutOfRange("share of items decided twice", "1")
    if not 0 <= seed <= HIGHEST_SEED:
        raise PlanOutOfRange("seed", str(HIGHEST_SEED))
    wanted = {"evidence_threshold": evidence_threshold, "second_share": second_share, "seed": seed}
    plan, _ = AdjudicationPlan.objects.update_or_create(
        study=study, defaults={**wanted, "changed_by": actor, "changed_at": now}
    )
    summary = (
        f"Set adjudication: evidence below {evidence_threshold:g} counts as disagreement, "
        f"{second_share:.0%} of the items decided twice, seed {seed}"
    )
    record_event(study=study, actor=actor, summary=summary, now=now)
    return plan


def dismiss_suspicion(*, suspicion: Suspicion, reason: str, actor: User, now: datetime) -> None:
    """The item keeps its labels, and the same suspicion does not come back."""
    reason = reason.strip()
    if not reason:
        raise ReasonNeeded("the suspicion, so that nobody raises it again")
    if problems := list(reason_problems("", reason)):
        raise DecisionRefused(problems)
    changed = Suspicion.objects.filter(pk=suspicion.pk, dismissed_at=None).update(
        dismissed_at=now, dismissed_by=actor, dismissed_because=reason
    )
    if not changed:
        suspicion.refresh_from_db()
        raise AlreadyDismissed(str(suspicion.dismissed_by))
