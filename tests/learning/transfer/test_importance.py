"""Importance goes to the feature that matters, and features say what the pair has."""

from __future__ import annotations

import numpy as np
import pytest

from learning.transfer.cells import Description
from learning.transfer.features import PairFeatures, pair_features
from learning.transfer.importance import feature_importances
from learning.transfer.splitting import Task, TaskItem
from learning.transfer.study import TaskKind, TaskSource


def pairs(n: int) -> tuple[list[PairFeatures], list[float | None]]:
    rng = np.random.default_rng(4)
    features, changes = [], []
    for at in range(n):
        matters, noise = rng.normal(), rng.normal()
        setting = ["chat", "essay"][at % 2]
        features.append(
            PairFeatures(
                f"s{at}", "t", {"matters": matters, "noise": noise, "same": 1.0}, {"setting": setting}
            )
        )
        changes.append(10 * matters + rng.normal())
    return features, list(changes)


def test_the_feature_that_matters_comes_first() -> None:
    found = feature_importances(*pairs(60), seed=1)
    first, *rest = found.features
    assert first.feature == "matters" and first.importance > 0.5 and first.held_out_importance > 0.3
    assert {each.feature for each in rest} == {"noise", "setting"}
    assert all(each.importance < 0.3 for each in rest)
    assert found.held_out_r2 is not None and found.held_out_r2 > 0.3
    assert found == feature_importances(*pairs(60), seed=1)


def test_pairs_without_a_change_are_left_out_and_few_are_not_regressed() -> None:
    features, changes = pairs(20)
    changes[3] = None
    found = feature_importances(features, changes, seed=1)
    assert found.n_pairs == 19 and "1 of 20 pairs" in found.note
    few = feature_importances(features[:6], changes[:6], seed=1)
    assert few.features == () and "too few" in few.note and few.r2 is None


def task(name: str, texts: list[str], kind: TaskKind) -> Task:
    items = tuple(TaskItem(str(at), str(at), text, "", float(at % 2)) for at, text in enumerate(texts))
    classes = ("no", "yes") if kind is TaskKind.CLASSIFICATION else ()
    return Task(name, kind, classes, items, items, items)


def test_features_of_a_pair() -> None:
    tasks = [
        task("a", ["Rain again", "rain today"], TaskKind.CLASSIFICATION),
        task("b", ["Rain and wind", "Wind", "sun"], TaskKind.REGRESSION),
    ]
    sources = [
        TaskSource(name="a", file="x/chat.csv", label="l", setting="chat"),
        TaskSource(name="b", file="y.csv", label="l", source="News", setting="essay"),
    ]
    described = {
        "a": Description((1.0, 0.0), {"bias": (1.0, 0.0)}),
        "b": Description((1.0, 1.0), {"bias": (1.0, 0.0)}),
    }
    first, second = pair_features(tasks, sources, {"a": {"link": 2.0}, "b": {"link": 5.0}}, described)
    assert (first.source, first.target) == ("b", "a") and (second.source, second.target) == ("a", "b")
    assert second.categories == {
        "task type": "classification → regression",
        "data source": "chat → News",
        "language setting": "chat → essay",
    }
    assert second.numbers == pytest.approx(
        {
            "sample size": 1.0,
            "token count": 1.0,
            "vocabulary size": 1.0,
            "number of labels": -1.0,
            "vocabulary overlap": 1 / 6,
            "data embedding similarity": 0.5**0.5,
            "task embedding similarity": 1 / 61,
            "construct: link": 3.0,
        }
    )
    assert first.numbers["construct: link"] == -3.0
