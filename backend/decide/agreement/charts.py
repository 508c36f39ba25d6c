"""Agreement in pictures: themes against the bands, and who agrees with whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.urls import reverse

from annotation.agreement.landis_koch import Band, band_of
from annotation.agreement.registry import statistic
from annotation.agreement.reports import BatchAgreement, RetestAgreement
from annotation.agreement.trust_rule import Rule
from annotation.agreement.values import PairEstimate
from backend.core.web.charts import Band as ChartBand
from backend.core.web.charts import Chart, DotIntervalChart, Estimate, Heatmap, dot_interval_chart, heatmap
from backend.decide.agreement.models import AgreementReport
from backend.decide.agreement.verdicts import RetestRow, ThemeRow
from codebook.schema import Part

BANDS = tuple(ChartBand(band.value, *band.bounds) for band in Band)
_NOTE = "Bands by Landis and Koch (1977): names by convention, no proof of quality."


@dataclass(frozen=True, slots=True)
class TwoSizes:
    """The same charts for wide and for narrow screens."""

    wide: tuple[Chart, ...]
    narrow: tuple[Chart, ...]

    @classmethod
    def of(cls, asked: Sequence[DotIntervalChart]) -> TwoSizes:
        return cls(
            tuple(dot_interval_chart(replace(each, wide=True)) for each in asked),
            tuple(dot_interval_chart(each) for each in asked),
        )


def theme_charts(rows: Sequence[ThemeRow], rule: Rule) -> TwoSizes:
    """One for each part that has themes, the measure of the rule against its threshold."""
    by_part = [(part, [row for row in rows if row.question.part is part]) for part in Part]
    return TwoSizes.of([_theme_chart(part, own, rule) for part, own in by_part if own])


def _theme_chart(part: Part, rows: Sequence[ThemeRow], rule: Rule) -> DotIntervalChart:
    name = capitalise(statistic(rule.measure).label)
    return DotIntervalChart(
        "In posts" if part is Part.POST else "In replies",
        [_estimate(row, rule) for row in rows],
        lower=0,
        upper=1,
        reference=rule.at_least,
        bands=BANDS,
        unit=f"{name}, 95% interval",
        note=f"The dashed line is the rule’s {rule.at_least:.2f}. {_NOTE}",
        empty="No theme of this part has a value.",
    )


def _estimate(row: ThemeRow, rule: Rule) -> Estimate:
    found = row.agreement.ratings[rule.measure]
    if found.value is None:
        return Estimate(row.code.name, None, note=found.note)
    note = f"{capitalise(band_of(found.value).value)}: {row.judged.words}"
    return Estimate(row.code.name, found.value, found.low, found.high, note)


def pairs_chart(agreement: BatchAgreement) -> Chart:
    """Each annotator with each other, over all themes."""
    kappa = {frozenset((pair.rater, pair.other)): pair.kappa.value for pair in agreement.pairs}
    values = [
        [kappa.get(frozenset((rater, other))) if rater != other else None for other in agreement.raters]
        for rater in agreement.raters
    ]
    return heatmap(
        Heatmap(
            "Who agrees with whom",
            agreement.raters,
            agreement.raters,
            values,
            unit="Cohen’s kappa, mean over themes",
            note="A row and column that stay pale are somebody who reads the codebook differently.",
            empty="No two annotators have items in common.",
        )
    )


def pairs_by_theme_chart(
    rows: Sequence[ThemeRow], agreement: BatchAgreement, report: AgreementReport
) -> Chart:
    """Where a pair disagrees: one column a pair; the table's cells lead to the items."""
    pairs = [(pair.rater, pair.other) for pair in agreement.pairs]
    values = [_of_pairs(row.agreement.ratings.pairs, pairs) for row in rows]
    addresses = [[_items_between(report, row.code.id, pair) for pair in pairs] for row in rows]
    return heatmap(
        Heatmap(
            "On which theme",
            [row.code.name for row in rows],
            [f"{rater} · {other}" for rater, other in pairs],
            values,
            unit="Cohen’s kappa",
            note="A dashed cell has no value: both gave one and the same answer throughout, or had no item in common.",
            empty="No two annotators have items in common.",
            wide=len(pairs) > 4,
            addresses=addresses,
        )
    )


def _items_between(report: AgreementReport, code_id: str, pair: tuple[str, str]) -> str:
    page = reverse("agreement:items", args=[report.study.slug, report.pk, code_id])
    return f"{page}?{urlencode({'pair': pair}, doseq=True)}"


def _of_pairs(found: Sequence[PairEstimate], pairs: Sequence[tuple[str, str]]) -> list[float | None]:
    kappa = {(pair.rater, pair.other): pair.kappa.value for pair in found}
    return [kappa.get(pair) for pair in pairs]


def retest_charts(rows: Sequence[RetestRow]) -> TwoSizes:
    pooled = [(row.code.name, row.retest.pooled.kappa) for row in rows]
    asked = DotIntervalChart(
        "The same item, some time later",
        [Estimate(name, found.value, found.low, found.high, found.note) for name, found in pooled],
        lower=0,
        upper=1,
        bands=BANDS,
        unit="Cohen’s kappa of first and second answers, 95% interval",
        note=_NOTE,
        empty="No theme has a value.",
    )
    return TwoSizes.of([asked])


def retest_by_rater_chart(rows: Sequence[RetestRow], agreement: RetestAgreement) -> Chart:
    raters = [each.rater for each in agreement.raters]
    values = []
    for row in rows:
        kappa = {each.rater: each.estimate.kappa.value for each in row.retest.raters}
        values.append([kappa.get(rater) for rater in raters])
    return heatmap(
        Heatmap(
            "Who is steady",
            [row.code.name for row in rows],
            raters,
            values,
            unit="Cohen’s kappa with oneself",
            note="A dashed cell has no value: one and the same answer throughout.",
            empty="Nobody has answered twice.",
        )
    )


def capitalise(words: str) -> str:
    return words[:1].upper() + words[1:]
