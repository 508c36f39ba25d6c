"""The test part of a split has more of rare themes than its share; weights take that back."""

import numpy as np
import pytest

from analysis.joining.raking import rake
from analysis.joining.weight_shares import Key
from benchmarks.raked_shares import frequencies


def test_after_a_split_by_labels_each_code_is_as_frequent_as_in_all_that_was_judged() -> None:
    every, plain, weighted = np.sum([frequencies(150, seed) for seed in range(20)], axis=0)
    assert (plain / every)[-3:].mean() > 1.2, "rare themes are in every part first"
    assert (plain / every).mean() > 1.08
    assert weighted / every == pytest.approx(np.ones(len(every)), abs=0.06)


def test_where_all_can_be_used_nothing_changes() -> None:
    weights: dict[Key, float] = {("r", "a", None): 2.0, ("r", "b", None): 5.0}
    labels: dict[Key, tuple[int]] = {("r", "a", None): (1,), ("r", "b", None): (0,)}
    assert rake(weights, dict.fromkeys(weights, 1.0), labels) == weights
    assert rake({}, weights, labels) == {}


def test_labels_that_nobody_usable_has_and_missing_ones_leave_weights_alone() -> None:
    keys: list[Key] = [("r", name, None) for name in "abcd"]
    labels = dict(zip(keys, [(0, None), (0, 1), (1, 1), (1, 0)], strict=True))
    usable = dict.fromkeys(keys[:2], 2.0)
    assert rake(usable, dict.fromkeys(keys, 1.0), labels) == usable


def test_one_unit_never_stands_for_more_than_four_times_what_it_did() -> None:
    keys: list[Key] = [("r", str(at), None) for at in range(100)]
    labels = {key: (int(at > 0),) for at, key in enumerate(keys)}
    weights = rake(dict.fromkeys(keys[:2], 1.0), dict.fromkeys(keys, 1.0), labels)
    assert weights[keys[0]] == 0.25 and weights[keys[1]] == pytest.approx(1.98)
