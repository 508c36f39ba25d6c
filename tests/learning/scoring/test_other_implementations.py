"""Every measure against somebody else's, on random gold and predictions, as they are and resampled."""

import warnings
from typing import Any

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from codebook.schema import Codebook
from learning.scoring.cases import by_item, gold_of
from learning.scoring.evaluate import resampled_scores, works_of
from learning.scoring.values import CodeScores, Metric
from tests.examples import examples
from tests.learning.scoring.gold_fixtures import (
    EPITOME,
    PRACTICES,
    RATINGS,
    first_code,
    gold_row,
    measured,
    predicted,
    random_study,
)

CLOSE = 1e-12
CHANCES = st.sampled_from([0.0, 0.125, 0.25, 0.5, 0.75, 1.0])


def scored(codebook: Codebook, gold: list[int], said: list[int], chances: list[Any]) -> CodeScores:
    code = first_code(codebook)
    rows = [gold_row(f"{at:03d}", {code: value}, codebook) for at, value in enumerate(gold)]
    predictions = [
        predicted(f"{at:03d}", {code: value}, codebook, probabilities={code: chances[at]})
        for at, value in enumerate(said)
    ]
    found = measured(rows, predictions, codebook).code(code)
    assert found is not None
    return found


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), CHANCES), min_size=1, max_size=40))
def test_ticks(cases: list[tuple[int, int, float]]) -> None:
    gold, said, chance = (list(each) for each in zip(*cases, strict=True))
    found = scored(PRACTICES, gold, said, [(1 - p, p) for p in chance])
    expected: dict[Metric, float | None] = {
        Metric.PRECISION: metrics.precision_score(gold, said, zero_division=0) if any(said) else None,
        Metric.RECALL: metrics.recall_score(gold, said) if any(gold) else None,
        Metric.F1: metrics.f1_score(gold, said) if any(gold) else None,
        Metric.ACCURACY: metrics.accuracy_score(gold, said),
        Metric.MACRO_F1: metrics.f1_score(gold, said, average="macro") if len(set(gold)) > 1 else None,
        Metric.AVERAGE_PRECISION: metrics.average_precision_score(gold, chance) if any(gold) else None,
        Metric.BRIER: metrics.brier_score_loss(gold, chance, pos_label=1, labels=[0, 1]),
    }
    for metric, value in expected.items():
        assert found.scores[metric].value == (None if value is None else pytest.approx(value, abs=CLOSE)), (
            metric
        )


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=40))
def test_levels(cases: list[tuple[int, int]]) -> None:
    gold, said = (list(each) for each in zip(*cases, strict=True))
    found = scored(EPITOME, gold, said, [() for _ in gold])
    assert found.scores[Metric.ACCURACY].value == pytest.approx(metrics.accuracy_score(gold, said), abs=CLOSE)
    macro = metrics.f1_score(gold, said, average="macro")
    expected_macro = pytest.approx(macro, abs=CLOSE) if len(set(gold)) > 1 else None
    assert found.scores[Metric.MACRO_F1].value == expected_macro
    kappa = found.scores[Metric.QUADRATIC_KAPPA]
    if len(set(gold + said)) == 1:
        assert kappa.value is None and "one and the same answer" in kappa.note
    else:
        expected = metrics.cohen_kappa_score(gold, said, weights="quadratic", labels=[0, 1, 2])
        assert kappa.value == pytest.approx(expected, abs=CLOSE)
    there = [[int(value > 0) for value in each] for each in (gold, said)]
    if any(there[0]):
        assert found.scores[Metric.F1].value == pytest.approx(metrics.f1_score(*there), abs=CLOSE)
    assert found.scores[Metric.AVERAGE_PRECISION].note.startswith(
        "Undefined: the model gives no probabilities"
    )


@settings(max_examples=examples(40), deadline=None)
@given(st.data())
def test_scales(data: st.DataObject) -> None:
    points = [level.value for level in RATINGS.questions[0].levels]
    pair = st.tuples(st.sampled_from(points), st.sampled_from(points))
    gold, said = zip(*data.draw(st.lists(pair, min_size=2, max_size=30)), strict=True)
    found = scored(RATINGS, list(gold), list(said), [() for _ in gold])
    off = metrics.mean_absolute_error(gold, said)
    assert found.scores[Metric.ABSOLUTE_ERROR].value == pytest.approx(off, abs=CLOSE)
    if len({*gold, *said}) > 1:
        alpha = krippendorff.alpha(np.array([gold, said], dtype=float), level_of_measurement="interval")
        assert found.scores[Metric.ALPHA].value == pytest.approx(alpha, abs=1e-9)
    assert Metric.F1 not in found.scores


def calibration_by_hand(gold: list[int], chance: list[float]) -> float:
    total = 0.0
    for low in range(10):
        inside = [
            (y, p)
            for y, p in zip(gold, chance, strict=True)
            if low <= p * 10 < low + 1 or (low == 9 and p == 1)
        ]
        if inside:
            ys, ps = zip(*inside, strict=True)
            total += len(inside) / len(gold) * abs(sum(ys) / len(inside) - sum(ps) / len(inside))
    return total


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(st.tuples(st.integers(0, 1), CHANCES), min_size=1, max_size=40))
def test_calibration(cases: list[tuple[int, float]]) -> None:
    gold, chance = (list(each) for each in zip(*cases, strict=True))
    found = scored(PRACTICES, gold, gold, [(1 - p, p) for p in chance])
    expected = calibration_by_hand(gold, chance)
    assert found.scores[Metric.CALIBRATION_ERROR].value == pytest.approx(expected, abs=CLOSE)


def test_resamples_are_what_scikit_learn_says_of_the_drawn_posts() -> None:
    """Each post drawn k times is the same as each of its items weighing k."""
    rows, predictions = random_study(PRACTICES, n=40, seed=5)
    gold = gold_of(rows, None)
    work = works_of(gold, by_item(predictions), PRACTICES)[0]
    (sampled,) = resampled_scores(gold, [work], resamples=20, seed=11)
    n = gold.n_clusters
    drawn = np.random.default_rng(11).multinomial(n, np.full(n, 1 / n), size=20)
    cases = work.cases
    for at, times in enumerate(drawn, start=1):
        weights = times[gold.clusters]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = {
                Metric.F1: metrics.f1_score(cases.gold, cases.predicted, sample_weight=weights),
                Metric.MACRO_F1: metrics.f1_score(
                    cases.gold, cases.predicted, sample_weight=weights, average="macro"
                ),
                Metric.AVERAGE_PRECISION: metrics.average_precision_score(
                    cases.gold, cases.probability, sample_weight=weights
                ),
                Metric.BRIER: metrics.brier_score_loss(cases.gold, cases.probability, sample_weight=weights),
            }
        for metric, value in expected.items():
            assert sampled[metric][at] == pytest.approx(value, abs=CLOSE)
