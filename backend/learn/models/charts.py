"""Adapters in pictures: their scores by theme, and how two of them differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from backend.core.web.charts import (
    Chart,
    DotIntervalChart,
    Estimate,
    dot_interval_chart,
)
from codebook.schema import Codebook
from learning.probe.values import ProbeReport
from learning.promotion.verdict import ThemeChange
from learning.scoring.compare import Comparison
from learning.scoring.values import HEADLINE, Evaluation, Metric

METRIC_NAMES = {
    Metric.MACRO_F1: "macro-F1",
    Metric.ALPHA: "Krippendorff’s alpha",
    Metric.SENTENCE_F1: "F1 of sentences",
}


@dataclass(frozen=True, slots=True)
class TwoSizes:
    """The same chart for wide and for narrow screens."""

    wide: Chart
    narrow: Chart

    @classmethod
    def of(cls, asked: DotIntervalChart) -> TwoSizes:
        return cls(dot_interval_chart(replace(asked, wide=True)), dot_interval_chart(asked))


def theme_chart(evaluation: Evaluation, codebook: Codebook) -> TwoSizes:
    names = theme_names(codebook)
    estimates = [
        Estimate(
            names[code.code_id],
            code.headline.value,
            code.headline.low,
            code.headline.high,
            code.headline.note or METRIC_NAMES[HEADLINE[code.answer]],
        )
        for code in evaluation.codes
        if code.n_items
    ]
    return TwoSizes.of(
        DotIntervalChart(
            "Theme by theme",
            estimates,
            lower=0,
            upper=1,
            unit="score, 95% interval",
            empty="No theme was measured.",
        )
    )


def sensitivity_chart(report: ProbeReport, names: Mapping[str, str]) -> TwoSizes:
    estimates = []
    for code in report.codes:
        rate = code.sensitivity
        value, low, high = (rate.value, rate.low, rate.high) if rate else (None, None, None)
        estimates.append(
            Estimate(names.get(code.code_id, code.code_id), value, low, high, " ".join(code.notes))
        )
    return TwoSizes.of(
        DotIntervalChart(
            "Sensitivity, theme by theme",
            estimates,
            style="percent",
            lower=0,
            upper=1,
            unit="of its yes taken back, 95% interval",
            note="0% keeps every yes whatever the post is: such a model reads the reply alone.",
            empty="The model says no yes that it could take back.",
        )
    )


def change_chart(themes: Sequence[ThemeChange], names: Mapping[str, str], largest_drop: float) -> TwoSizes:
    estimates = [
        Estimate(
            names.get(theme.code_id, theme.code_id),
            theme.difference.value,
            theme.difference.low,
            theme.difference.high,
            theme.collapses or METRIC_NAMES[theme.metric],
        )
        for theme in themes
    ]
    note = (
        f"Right of zero the candidate is better. A theme may fall by {100 * largest_drop:.1f} points, and further only "
        "if its interval reaches zero."
    )
    return TwoSizes.of(_differences("What changes, theme by theme", estimates, note))


def comparison_chart(comparison: Comparison, metrics: Mapping[str, Metric], codebook: Codebook) -> TwoSizes:
    names = theme_names(codebook)
    estimates = []
    for code in comparison.codes:
        found = code.differences.get(metrics[code.code_id])
        if found is not None:
            estimates.append(Estimate(names[code.code_id], found.value, found.low, found.high, found.note))
    return TwoSizes.of(_differences("First minus second", estimates, "Right of zero the first is better."))


def _differences(title: str, estimates: Sequence[Estimate], note: str) -> DotIntervalChart:
    return DotIntervalChart(
        title,
        estimates,
        reference=0.0,
        unit="difference of scores, 95% interval",
        note=note,
        empty="No theme could be compared.",
    )


def theme_names(codebook: Codebook) -> dict[str, str]:
    return {code.id: code.name for _, code in codebook.coded_questions()}
