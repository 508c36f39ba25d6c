"""Scores as lines for a terminal: the main one of each code, evidence beside it, and the mean."""

from __future__ import annotations

from collections.abc import Iterator

from learning.scoring.values import HEADLINE, HEADLINE_WORDS, Evaluation, Metric, ScoreEstimate


def score_lines(evaluation: Evaluation, *, gives_evidence: bool = True) -> Iterator[str]:
    """Where a learner marks no words, its score on words would be a 0 that says nothing: there is none."""
    width = max(len(code.code_id) for code in evaluation.codes)
    for code in evaluation.codes:
        metric = HEADLINE[code.answer]
        line = f"  {code.code_id:{width}}  {HEADLINE_WORDS[metric]} {_words(code.headline)}, {code.n_items:,} items"
        evidence = code.scores.get(Metric.TOKEN_F1_POSITIVES)
        if evidence is not None and not gives_evidence:
            line += "; gives no evidence"
        elif evidence is not None and evidence.value is not None:
            line += f"; evidence token F1 {_words(evidence)}"
        if Metric.CROSS_ENTROPY in code.scores:
            line += (
                f"; against annotators' shares: cross-entropy {_words(code.scores[Metric.CROSS_ENTROPY])}, Manhattan"
                f" distance {_words(code.scores[Metric.MANHATTAN_DISTANCE])}"
            )
        yield line
    mean = evaluation.mean()
    if mean is not None and Metric.MACRO_F1 in mean.scores:
        out = mean.left_out.get(Metric.MACRO_F1, ())
        without = f", without {', '.join(out)}" if out else ""
        yield f"  {'mean':{width}}  macro-F1 {_words(mean.scores[Metric.MACRO_F1])}{without}"
    if evaluation.n_suggested:
        n = f"{evaluation.n_suggested:,} item{'' if evaluation.n_suggested == 1 else 's'}"
        yield f"  Left out: {n} judged with a model's suggestion in view"


def _words(score: ScoreEstimate) -> str:
    if score.value is None:
        return "–"
    if score.low is None or score.high is None:
        return f"{score.value:.3f}"
    return f"{score.value:.3f} [{score.low:.3f}, {score.high:.3f}]"
