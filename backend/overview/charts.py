"""The study at a glance: how far batches are, how agreement moved from round to round, and what models reach."""

from __future__ import annotations

from annotation.agreement.registry import statistic
from backend.core.studies.models import Study
from backend.core.web.charts import Chart, DotIntervalChart, Estimate, dot_interval_chart
from backend.decide.agreement.models import ReportKind
from backend.decide.agreement.overview import mean_over_themes
from backend.decide.agreement.reading import read_report
from backend.decide.agreement.selectors import latest_reports, rule_of
from backend.learn.models.rows import adapter_rows

SHOWN = 6


def agreement_chart(study: Study) -> Chart | None:
    """Its newest rounds, the oldest of them first; None before the second."""
    reports = [each for each in latest_reports(study) if each.kind == ReportKind.AGREEMENT][-SHOWN:]
    if len(reports) < 2:
        return None
    rule = rule_of(study)
    name = statistic(rule.measure).head
    estimates = []
    for report in reports:
        found = mean_over_themes(read_report(report), rule)
        value, low, high = (found.value, found.low, found.high) if found else (None, None, None)
        estimates.append(Estimate(report.batch.name, value, low, high))
    return dot_interval_chart(
        DotIntervalChart(
            "Agreement by round",
            estimates,
            lower=0,
            upper=1,
            reference=rule.at_least,
            unit=f"{name}, mean over themes",
            empty="No round has a value.",
        )
    )


def model_chart(study: Study) -> Chart | None:
    """The newest models that have the newest one's kind of score, the oldest of them first; None before the second."""
    scored = [(row, row.score) for row in adapter_rows(study) if row.score is not None]
    alike = [(row, score) for row, score in scored if row.metric == scored[0][0].metric][:SHOWN]
    if len(alike) < 2:
        return None
    estimates = [
        Estimate(f"{row.adapter.number}. {row.title}", score.value, score.low, score.high)
        for row, score in reversed(alike)
    ]
    return dot_interval_chart(
        DotIntervalChart(
            "Model scores",
            estimates,
            lower=0,
            upper=1,
            unit=f"{alike[0][0].metric} on the test part",
            note="Models of different releases have different test items.",
            empty="No model has a score.",
        )
    )
