"""Adapters and their themes as rows of a page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from annotation.release.rows import SplitPart
from backend.core.studies.models import Study
from backend.learn.models.charts import METRIC_NAMES
from backend.learn.models.models import Adapter, PromotionReport
from backend.learn.models.promotion import Promotion, overrides_of
from backend.learn.models.selectors import adapters_of
from backend.learn.models.today import today_in
from learning.learners.registry import title_of
from learning.learners.spec import SHORT_INPUTS, learns_evidence
from learning.scoring.values import CodeScores, Evaluation, Metric, ScoreEstimate, main_metric, main_score

COLUMNS = (
    Metric.PRECISION,
    Metric.RECALL,
    Metric.F1,
    Metric.AVERAGE_PRECISION,
    Metric.CALIBRATION_ERROR,
    Metric.TOKEN_F1_POSITIVES,
    Metric.IOU_F1_POSITIVES,
)


OF_EVIDENCE = frozenset({Metric.TOKEN_F1_POSITIVES, Metric.IOU_F1_POSITIVES})


@dataclass(frozen=True, slots=True)
class SoftRow:
    """How near a model's probabilities are to the shares of annotators; `least` is what cross-entropy can be."""

    name: str
    cross_entropy: ScoreEstimate
    least: ScoreEstimate
    distance: ScoreEstimate


def soft_rows(evaluation: Evaluation, names: Mapping[str, str]) -> list[SoftRow]:
    """Empty where the release carries no soft labels."""
    return [
        SoftRow(
            names.get(code.code_id, code.code_id),
            code.scores[Metric.CROSS_ENTROPY],
            code.scores[Metric.ANNOTATOR_ENTROPY],
            code.scores[Metric.MANHATTAN_DISTANCE],
        )
        for code in evaluation.codes
        if Metric.CROSS_ENTROPY in code.scores
    ]


@dataclass(frozen=True, slots=True)
class AdapterRow:
    adapter: Adapter
    title: str
    reads: str
    with_evidence: bool
    score: ScoreEstimate | None
    metric: str
    report: PromotionReport | None
    override: Promotion | None

    @property
    def tone(self) -> str:
        return "warn" if self.override else "good"

    @property
    def state_words(self) -> str:
        return "In service by override" if self.override else "In service"


def adapter_rows(study: Study) -> list[AdapterRow]:
    today, reports = today_in(study), defaultdict[int, list[PromotionReport]](list)
    for report in study.promotion_reports.all():
        reports[report.candidate_id].append(report)
    overrides = overrides_of(study)
    return [
        _row(adapter, today.telling(reports[adapter.pk]), overrides.get(adapter.pk))
        for adapter in adapters_of(study)
    ]


def _row(adapter: Adapter, report: PromotionReport | None, override: Promotion | None) -> AdapterRow:
    card = adapter.read_card()
    test = card.measures.get(SplitPart.TEST.value)
    metric = main_metric(test) if test else None
    reads = str(card.config.get("input", ""))
    return AdapterRow(
        adapter,
        title_of(adapter.learner),
        SHORT_INPUTS.get(reads, reads),
        learns_evidence(card.config),
        main_score(test) if test else None,
        METRIC_NAMES[metric] if metric else "",
        report,
        override,
    )


@dataclass(frozen=True, slots=True)
class ThemeScores:
    """`scores` in the order of COLUMNS; None where a measure is none of this theme's."""

    name: str
    code: CodeScores
    headline: ScoreEstimate
    scores: tuple[ScoreEstimate | None, ...]


def theme_rows(
    evaluation: Evaluation, names: Mapping[str, str], *, gives_evidence: bool
) -> list[ThemeScores]:
    """Where a model marks no words, its score on words would be a 0 that says nothing: there is none."""
    return [
        ThemeScores(
            names.get(code.code_id, code.code_id),
            code,
            code.headline,
            tuple(
                code.scores.get(metric) if gives_evidence or metric not in OF_EVIDENCE else None
                for metric in COLUMNS
            ),
        )
        for code in evaluation.codes
        if code.n_items
    ]
