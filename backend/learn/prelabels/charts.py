"""The conditions in pictures: how far apart they are, theme by theme."""

from __future__ import annotations

from backend.core.web.charts import DotIntervalChart, Estimate
from backend.decide.agreement.charts import TwoSizes
from backend.learn.prelabels.comparing import Comparison


def shift_charts(comparison: Comparison) -> TwoSizes:
    """Each theme's prevalence with suggestions minus that without."""
    by_id = {code.id: code for _, code in comparison.codes}
    estimates = [
        Estimate(
            by_id[found.code_id].name,
            found.prevalence.apart,
            found.prevalence.low,
            found.prevalence.high,
            "Clear, corrected for looking at all themes." if found.prevalence.is_clear else "",
        )
        for found in comparison.report.codes
    ]
    asked = DotIntervalChart(
        "How much more often each theme is found with suggestions",
        estimates,
        style="percent",
        reference=0,
        unit="Difference in share of items, 95% interval",
        note="Right of the line: found more often with suggestions. One interval in twenty misses zero by chance.",
        empty="No theme has answers in both conditions yet.",
    )
    return TwoSizes.of([asked])
