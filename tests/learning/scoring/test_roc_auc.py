"""The area under the curve is scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from learning.scoring.roc_auc import roc_auc


@pytest.mark.parametrize("seed", range(5))
def test_it_is_that_of_scikit_learn_with_ties_and_without(seed: int) -> None:
    rng = np.random.default_rng(seed)
    gold = rng.random(200) < 0.2
    for scores in (rng.random(200), rng.integers(0, 4, 200).astype(float), gold * 0.5 + rng.random(200)):
        assert roc_auc(scores, gold) == pytest.approx(roc_auc_score(gold, scores), abs=1e-12)


def test_one_class_alone_has_none() -> None:
    assert roc_auc(np.ones(3), np.ones(3, dtype=bool)) is None
