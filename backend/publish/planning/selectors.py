"""What is planned from: the newest corrected report of a study, or what is assumed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.core.studies.models import Study
from backend.publish.reports.files import read_content
from backend.publish.reports.models import Report
from backend.publish.reports.selectors import reports_of

if TYPE_CHECKING:
    from analysis.gold_plan import PlannedTable
    from analysis.values import Finding
    from annotation.agreement.planning import AgreementNeeds


def report_for_planning(slug: str, number: int | None = None) -> Report | None:
    """The newest that was made with a release, or the one with this number."""
    study = Study.objects.filter(slug=slug).first()
    if study is None:
        return None
    reports = reports_of(study).filter(release__isnull=False)
    return (reports if number is None else reports.filter(number=number)).first()


def planned_tables(report: Report) -> dict[str, PlannedTable]:
    """By the name that the tables of one question share; those without any corrected interval are left out."""
    from analysis.gold_plan import PlannedTable, plan_from  # loads numpy

    content = read_content(report)
    names = {code.id: code.name for code in content.facts.codebook.codes}
    found: dict[str, tuple[str, list[Finding]]] = {}
    for table in content.tables:
        found.setdefault(table.pair, (table.title, []))[1].extend(table.findings)
    planned = {
        pair: PlannedTable(title, names, plan_from(findings)) for pair, (title, findings) in found.items()
    }
    return {pair: table for pair, table in planned.items() if table.estimates}


def planned_agreement(
    *,
    kappa: float,
    share: float,
    n_raters: int,
    null: float | None,
    width: float | None,
    level: float = 0.05,
    power: float = 0.8,
    seed: int = 1,
) -> AgreementNeeds:
    """Raises PlanImpossible."""
    from annotation.agreement.planning import AgreementPlan, agreement_needs  # loads numpy

    plan = AgreementPlan(kappa, share, n_raters, seed)
    return agreement_needs(plan, null=null, width=width, level=level, power=power)
