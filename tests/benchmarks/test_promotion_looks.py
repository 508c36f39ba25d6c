"""A short form of the simulation: who looks every night at the same items promotes nothing by chance, or hardly."""

from __future__ import annotations

import numpy as np

from benchmarks.promotion_looks import (
    GAIN,
    LOOKS,
    SIGNAL,
    Study,
    best_model,
    first_promotions,
    p_of_gain,
    with_score,
)
from learning.alpha_spending import LEVEL, level_of_look


def test_studies_rarely_promote_a_model_that_is_no_better_however_often_they_look() -> None:
    rng, served = np.random.default_rng(1), best_model(SIGNAL)
    firsts = np.array([first_promotions(40, served, served, rng) for _ in range(40)])
    today, over_all = (np.mean(firsts[:, rule] < LOOKS) for rule in (0, 1))
    assert today > 0.2, "the simulation shows what the rule is there for"
    assert over_all <= LEVEL


def test_a_model_that_is_clearly_better_still_passes() -> None:
    rng, served = np.random.default_rng(1), best_model(SIGNAL)
    better = with_score(served.score() + 2 * GAIN)
    p = []
    for at in range(6):
        study = Study.invent(150, rng)
        current, new = (study.tables(model, rng)[0] for model in (served, better))
        p.append(p_of_gain(new, current, at))
    assert np.mean(np.array(p) <= level_of_look(10)) >= 0.8
