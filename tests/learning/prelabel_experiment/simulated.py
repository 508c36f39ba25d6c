"""Annotators who are drawn to a model by a known amount, so that the comparison of the conditions can be held to it."""

from __future__ import annotations

import numpy as np

from annotation.agreement.values import MeasurementLevel
from learning.prelabel_experiment.randomization import draw_conditions
from learning.prelabel_experiment.values import Condition, ExperimentAnswer, ExperimentCode

CODES = tuple(ExperimentCode(f"code-{at}", frozenset({1}), MeasurementLevel.NOMINAL) for at in range(4))


def simulated_answers(
    *,
    seed: int,
    pull: float,
    posts: int = 120,
    items_per_post: int = 2,
    raters: int = 1,
    share: float = 0.5,
    model_error: float = 0.25,
    error: float = 0.1,
    saved_seconds: float = 0.0,
) -> list[ExperimentAnswer]:
    """With suggestions, each answer is the model's with probability `pull`, and else what the person thinks anyway."""
    rng = np.random.default_rng(seed)
    names = [f"post-{at:03d}" for at in range(posts)]
    conditions = draw_conditions(names, share=share, seed=seed, drawn={})
    found = []
    for post in names:
        for number in range(items_per_post):
            truth = (rng.random(len(CODES)) < 0.3).astype(int)
            model = np.where(rng.random(len(CODES)) < model_error, 1 - truth, truth)
            for rater in range(raters):
                own = np.where(rng.random(len(CODES)) < error, 1 - truth, truth)
                is_shown = conditions[post] is Condition.SUGGESTED
                pulled = rng.random(len(CODES)) < (pull if is_shown else 0)
                said = np.where(pulled, model, own)
                seconds = float(rng.lognormal(4, 0.5)) - (saved_seconds if is_shown else 0)
                found.append(
                    ExperimentAnswer(
                        f"{post}-{number}",
                        post,
                        f"rater-{rater}",
                        conditions[post],
                        {code.code_id: int(value) for code, value in zip(CODES, said, strict=True)},
                        {code.code_id: int(value) for code, value in zip(CODES, model, strict=True)},
                        seconds,
                    )
                )
    return found


def expected_pull(pull: float, *, model_error: float = 0.25, error: float = 0.1) -> float:
    """How many more answers are the model's: of those that would not be anyway, the share that is pulled."""
    alike = (1 - model_error) * (1 - error) + model_error * error
    return pull * (1 - alike)
