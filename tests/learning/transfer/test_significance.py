"""Scores are those of scikit-learn and scipy, and chance is told from effect."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learning.transfer.significance import compare_with_baselines, score
from learning.transfer.splitting import Task, TaskItem
from learning.transfer.study import TaskKind
from tests.examples import examples

LABELS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=40)


@given(LABELS)
@settings(max_examples=examples(40))
def test_macro_f1_is_scikit_learns(pairs: list[tuple[int, int]]) -> None:
    from sklearn.metrics import f1_score

    gold, predicted = (np.array(each, dtype=float) for each in zip(*pairs, strict=True))
    found = score(TaskKind.CLASSIFICATION, 4, gold, predicted)
    if len(set(gold)) < 2:
        assert np.isnan(found)
    else:
        assert found == pytest.approx(f1_score(gold, predicted, average="macro"))


def test_pearson_is_scipys_and_nothing_where_nothing_varies() -> None:
    from scipy.stats import pearsonr

    rng = np.random.default_rng(3)
    gold = rng.normal(size=50)
    predicted = 0.4 * gold + rng.normal(size=50) + 1000
    assert score(TaskKind.REGRESSION, 0, gold, predicted) == pytest.approx(
        pearsonr(gold, predicted).statistic
    )
    assert np.isnan(score(TaskKind.REGRESSION, 0, gold, np.full(50, 2.5)))


def task(name: str, n: int = 120) -> Task:
    items = tuple(TaskItem(f"{name}{at}", f"g{at // 2}", "", "", float(at % 3)) for at in range(n))
    return Task(name, TaskKind.CLASSIFICATION, ("a", "b", "c"), items, items, items)


def guesses(of: Task, right: float, seed: int) -> list[float]:
    """Right for about that share of the items."""
    rng = np.random.default_rng(seed)
    return [item.label if rng.random() < right else float(rng.integers(3)) for item in of.test]


def test_a_clear_gain_is_found_and_chance_is_not() -> None:
    tasks = [task("one"), task("two"), task("three")]
    share = {("", "one"): 0.4, ("two", "one"): 0.9, ("three", "one"): 0.4}
    predictions = {
        (source, each.name): {
            seed: guesses(each, share.get((source, each.name), 0.5), 7 * seed + len(source))
            for seed in (1, 2, 3)
        }
        for each in tasks
        for source in ("", *(other.name for other in tasks if other is not each))
    }
    found = {
        (c.source, c.target): c
        for c in compare_with_baselines(tasks, predictions, (1, 2, 3), resamples=2000, seed=1)
    }
    better, same = found["two", "one"].difference, found["three", "one"].difference
    assert better.p_holm is not None and better.p_holm < 0.01 and better.low is not None and better.low > 0.1
    assert same.p_holm is not None and same.p_holm > 0.05
    assert len(found) == 6 and all(
        c.p_bh is not None and c.p_bh <= (c.difference.p_holm or 1) for c in found.values()
    )


def test_the_same_predictions_are_no_different() -> None:
    tasks = [task("one"), task("two")]
    same = {1: guesses(tasks[0], 0.6, 1), 2: guesses(tasks[0], 0.6, 2)}
    predictions = {(source, each.name): same for each in tasks for source in ("", "one", "two")}
    for found in compare_with_baselines(tasks, predictions, (1, 2), resamples=500, seed=1):
        assert found.difference.value == 0 and found.difference.p == 1
