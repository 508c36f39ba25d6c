"""What there is to read about plans: the frozen ones, and what was done in the study since."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import QuerySet
from django.http import Http404

from analysis.preregistration import (
    Comparison,
    Done,
    PlanFacts,
    PlannedContrast,
    PlannedEdition,
    PlannedRule,
    PlannedSample,
    compare,
)
from annotation.agreement.trust_rule import Rule
from backend.annotate.batches.models import BatchKind
from backend.annotate.judgments.models import AnnotationVersion, Change
from backend.core.studies.models import Study
from backend.decide.agreement.selectors import rule_of
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import codebook_of
from backend.design.samples.models import Sample
from backend.publish.preregistration.models import Preregistration


def plans_of(study: Study) -> QuerySet[Preregistration]:
    """Newest first: the first holds."""
    return study.preregistrations.select_related("created_by")


def plan_numbered(study: Study, number: int) -> Preregistration:
    found = plans_of(study).filter(number=number).first()
    if found is None:
        raise Http404(f"This study has no plan {number}.")
    return found


def n_answers(study: Study) -> int:
    """Submitted answers that are not practice."""
    submitted = AnnotationVersion.objects.filter(assignment__batch__study=study, change=Change.SUBMITTED)
    return submitted.exclude(assignment__batch__kind=BatchKind.PRACTICE).count()


def planned_rule(rule: Rule) -> PlannedRule:
    return PlannedRule(rule.measure, rule.bound.value, rule.at_least)


def planned_edition(edition: Edition) -> PlannedEdition:
    return PlannedEdition(edition.number, edition.hash)


def planned_samples(samples: Iterable[Sample]) -> tuple[PlannedSample, ...]:
    return tuple(
        PlannedSample(sample.corpus.name, sample.design["kind"], sample.n_items) for sample in samples
    )


def done_in(study: Study) -> Done:
    """In the whole study up to now. The contrasts are the sections of all its reports."""
    batches = study.batches.exclude(kind=BatchKind.PRACTICE).select_related("edition")
    editions = {planned_edition(batch.edition) for batch in batches}
    codes = {
        code.id for edition in study.editions.all() for _, code in codebook_of(edition).coded_questions()
    }
    reported = {
        section for report in study.reports.all() for section in report.request["sections"] or _all_sections()
    }
    return Done(
        editions=tuple(sorted(editions)),
        samples=planned_samples(study.samples.select_related("corpus")),
        agreement_rule=planned_rule(rule_of(study)),
        learners=tuple(sorted(set(study.adapters.values_list("learner", flat=True)))),
        contrasts=tuple(PlannedContrast(section, tuple(sorted(codes))) for section in sorted(reported)),
        epsilons=tuple(sorted(set(study.alternative_tests.values_list("epsilon", flat=True)))),
    )


def _all_sections() -> list[str]:
    """Of a report that was asked for without naming any; they load the statistics."""
    from analysis.report.registry import section_titles

    return list(section_titles())


def comparison_of(found: Preregistration) -> tuple[Comparison, ...]:
    return compare(found.plan, done_in(found.study))


def plan_facts(found: Preregistration, done: Done) -> PlanFacts:
    """As a report tells it."""
    return PlanFacts(
        number=found.number,
        hash=found.hash,
        frozen_on=found.created_at.strftime("%Y-%m-%d %H:%M UTC"),
        plan=found.plan,
        done=done,
    )
