"""One number for an adapter where there is room for one: the mean over its themes, by the measure of most of them."""

from __future__ import annotations

from collections import Counter

from learning.scoring.values import HEADLINE, Evaluation, Metric, ScoreEstimate


def main_metric(evaluation: Evaluation) -> Metric | None:
    counted = Counter(HEADLINE[code.answer] for code in evaluation.codes)
    return counted.most_common(1)[0][0] if counted else None


def main_score(evaluation: Evaluation) -> ScoreEstimate | None:
    """Measures are never averaged with each other, so themes of other kinds are not in it."""
    metric, mean = main_metric(evaluation), evaluation.mean()
    return mean.scores.get(metric) if mean and metric else None
