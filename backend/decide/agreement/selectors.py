"""What pages, calls and services read about agreement."""

from __future__ import annotations

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.http import Http404

from annotation.agreement.trust_rule import Bound, Rule
from backend.annotate.batches.models import AssignedItem, Batch, BatchKind
from backend.annotate.batches.selectors import HELD, unfinished_work
from backend.core.studies.models import Study
from backend.decide.agreement.models import AgreementReport, AgreementRule
from backend.design.samples.models import Item


def report_of(study: Study, report_id: int) -> AgreementReport:
    report = reports_of(study).filter(pk=report_id).first()
    if report is None:
        raise Http404("This study has no such report.")
    return report


def reports_of(study: Study) -> QuerySet[AgreementReport]:
    """Newest first."""
    return study.agreement_reports.select_related("batch", "edition", "requested_by", "study")


def latest_reports(study: Study) -> list[AgreementReport]:
    """The newest report of each batch that has one, by the time at which the batches were opened."""
    newest = AgreementReport.objects.filter(batch=OuterRef("batch")).values("pk")[:1]
    return list(reports_of(study).filter(pk=Subquery(newest)).order_by("batch__opened_at", "batch_id"))


def latest_report(batch: Batch) -> AgreementReport | None:
    return reports_of(batch.study).filter(batch=batch).first()


def overlapping_items(batch: Batch) -> QuerySet[Item]:
    """Items of the batch that two annotators hold, or have answered. Whoever was asked because others left an item open
    is not counted: on items that were chosen for that, people differ more than they do in general."""
    held = AssignedItem.objects.filter(HELD, assignment__batch=batch, is_extra=False).order_by()
    shared = held.values("item").annotate(n=Count("assignment")).filter(n__gt=1)
    return Item.objects.filter(pk__in=shared.values("item")).order_by("item_id")


def can_be_measured(batch: Batch) -> bool:
    return batch.kind == BatchKind.RECHECK or overlapping_items(batch).exists()


def is_complete(batch: Batch) -> bool:
    """Nobody has anything left to do in it that agreement is measured on; in a closed batch nobody has."""
    return not unfinished_work().filter(assignment__batch=batch, is_extra=False).exists()


def is_partial(batch: Batch) -> bool:
    """Whether items were given to somebody who did neither answer nor skip them, also in a closed batch."""
    left = AssignedItem.objects.filter(
        assignment__batch=batch,
        taken_back_at=None,
        assignment__withdrawn_at=None,
        submission=None,
        is_extra=False,
    )
    return left.exists()


def left_out_words(batch: Batch) -> str:
    """What a report on an adaptive overlap does not count, and why; empty for other batches."""
    if batch.kind != BatchKind.ADAPTIVE:
        return ""
    n = AssignedItem.objects.filter(HELD, assignment__batch=batch, is_extra=True).count()
    return (
        f"Only first answers count, on the {overlapping_items(batch).count():,} items that started with two "
        f"annotators. {n:,} later answer{'' if n == 1 else 's'} left out: they were asked for where the first left an "
        "item open, and on such items people differ more than in general."
    )


def measurable_batches(study: Study) -> list[Batch]:
    """Batches that can have a report, newest first; practice is a matter of its own."""
    batches = study.batches.exclude(kind=BatchKind.PRACTICE).select_related("study", "edition")
    return [batch for batch in batches if can_be_measured(batch)]


DEFAULT_RULE = Rule("fleiss_kappa", Bound.LOW, 0.61)


def rule_of(study: Study) -> Rule:
    """What the study asks of a theme; the default until somebody changes it."""
    row = AgreementRule.objects.filter(study=study).first()
    return Rule(row.measure, Bound(row.bound), row.at_least) if row else DEFAULT_RULE
