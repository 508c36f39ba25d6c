"""A model is shown to find a code only where it clearly beats one that always gives the commonest answer."""

import pytest

from codebook.schema import AnswerKind, Part
from learning.scoring.majority_baseline import NOT_MEASURED, unproven_codes, why_unproven
from learning.scoring.values import CodeScores, Metric, ScoreEstimate


def scores(
    metric: Metric,
    value: float | None,
    low: float | None,
    *,
    answer: AnswerKind = AnswerKind.TICK,
    n: int = 40,
    found: int | None = 20,
) -> CodeScores:
    estimate = ScoreEstimate(value, low, None if low is None else 1.0, n, "")
    return CodeScores("c", Part.REPLY, answer, n, 0, found, found, {metric: estimate})


def test_always_saying_yes_has_a_high_f1_and_proves_nothing() -> None:
    """Seven of nine, the demo's case, and the same on ninety items."""
    assert "2 items without it, and 5 are needed" in why_unproven(
        scores(Metric.MACRO_F1, 0.4375, 0.4, n=9, found=7)
    )
    why = why_unproven(scores(Metric.MACRO_F1, 0.4375, 0.41, n=90, found=70))
    assert "macro-F1 of 43.8" in why and "not clearly above the 43.8" in why


def test_two_items_with_the_theme_are_too_few_however_good_the_score() -> None:
    assert "2 items with it" in why_unproven(scores(Metric.MACRO_F1, 1.0, 1.0, n=50, found=2))


def test_what_is_clearly_better_is_shown() -> None:
    assert why_unproven(scores(Metric.MACRO_F1, 0.8, 0.7)) == ""
    assert why_unproven(scores(Metric.QUADRATIC_KAPPA, 0.4, 0.1, answer=AnswerKind.LEVELS)) == ""
    assert why_unproven(scores(Metric.ALPHA, 0.4, 0.1, answer=AnswerKind.SCALE, found=None)) == ""
    assert why_unproven(scores(Metric.SENTENCE_F1, 0.4, 0.1, answer=AnswerKind.SENTENCES, found=40)) == ""


@pytest.mark.parametrize(
    "code",
    (
        scores(Metric.QUADRATIC_KAPPA, 0.2, -0.1, answer=AnswerKind.LEVELS),
        scores(Metric.MACRO_F1, None, None),
        scores(Metric.MACRO_F1, 0.9, None),
        scores(Metric.ALPHA, 0.9, 0.8, answer=AnswerKind.SCALE, n=6, found=None),
        None,
    ),
)
def test_what_is_not_clear_or_not_measured_is_not_shown(code: CodeScores | None) -> None:
    assert why_unproven(code)


def test_without_a_test_part_nothing_is_shown() -> None:
    assert unproven_codes(("a", "b"), None) == {"a": NOT_MEASURED, "b": NOT_MEASURED}
