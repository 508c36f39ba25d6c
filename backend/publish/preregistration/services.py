"""Freezes a study's plan."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from analysis.preregistration import Plan, canonical, plan_hash
from analysis.report.registry import section_titles
from annotation.agreement.registry import rule_statistics
from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.core.studies.services import record_event
from backend.design.codebooks.selectors import codebook_of, edition_numbered
from backend.publish.preregistration.errors import LabelsExist, ReleaseBroughtIn, SamePlan, UnknownInPlan
from backend.publish.preregistration.models import Preregistration
from backend.publish.preregistration.selectors import n_answers, planned_edition
from corpus.sampling.design_json import DESIGN_KINDS
from learning.learners.registry import LEARNERS


@transaction.atomic
def freeze_plan(*, study: Study, plan: Plan, actor: User, now: datetime) -> Preregistration:
    """Raises what says why it cannot be frozen. A changed mind before there are labels is a plan with the next number;
    the older ones stay."""
    Study.objects.select_for_update().get(pk=study.pk)
    if n := n_answers(study):
        raise LabelsExist(n)
    if study.releases.filter(is_imported=True).exists():
        raise ReleaseBroughtIn
    _check(study, plan)
    if same := study.preregistrations.filter(hash=plan_hash(plan)).first():
        raise SamePlan(same.number)
    newest = study.preregistrations.first()
    found = Preregistration.objects.create(
        study=study,
        number=newest.number + 1 if newest else 1,
        canonical=canonical(plan),
        hash=plan_hash(plan),
        created_by=actor,
        created_at=now,
    )
    record_event(study=study, actor=actor, summary=f"Froze plan {found.number} ({found.hash[:8]})", now=now)
    return found


def _check(study: Study, plan: Plan) -> None:
    """Only what exists can be compared later with what was done."""
    edition = edition_numbered(study, plan.edition.number)
    if planned_edition(edition) != plan.edition:
        raise UnknownInPlan("edition with the hash", [plan.edition.hash], [edition.hash])
    codes = [code.id for _, code in codebook_of(edition).coded_questions()]
    _check_known("learner", plan.learners, [each.name for each in LEARNERS])
    _check_known("statistic", [plan.agreement_rule.measure], [each.name for each in rule_statistics()])
    _check_known("design", [each.kind for each in plan.samples], sorted(DESIGN_KINDS))
    _check_known(
        "corpus", [each.corpus for each in plan.samples], study.corpora.values_list("name", flat=True)
    )
    _check_known("section", [each.section for each in plan.contrasts], list(section_titles()))
    _check_known("code", [code for each in plan.contrasts for code in each.codes], codes)


def _check_known(what: str, asked: Collection[str], known: Collection[str]) -> None:
    if unknown := sorted(set(asked) - set(known)):
        raise UnknownInPlan(what, unknown, known)
