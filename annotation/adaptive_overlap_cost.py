"""How many answers adaptive overlap is likely to take, before anybody has given one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.adaptive_overlap import PAIRED_SHARE, OverlapPolicy

_PRESENT = 0.2
_TRIED = 2000


@dataclass(frozen=True, slots=True)
class ExpectedAnswers:
    """If annotators are right about a theme with the probability `right`: `n` answers in all, and the share of items
    about which more than the first are asked, and of those that reach the maximum without being sure."""

    right: float
    n: int
    asked_again: float
    open_in_the_end: float


def expected_answers(
    *, n_items: int, n_codes: int, right: float, policy: OverlapPolicy, seed: int = 1
) -> ExpectedAnswers:
    r"""By simulation of 2,000 items under the plainest model: every theme is there in 2 of 10 items, an annotator is
    right about it with probability q, whatever the others say, and all of this is known. After the votes v
    P(there | v) = π ∏ q^{v}(1-q)^{1-v} / (the same for there and not there); an item is done once the likelier
    of both has reached `sure_at` for every theme. Real annotators err together on hard items: this is a guide, no
    promise.

    >>> few = expected_answers(n_items=100, n_codes=1, right=0.95, policy=OverlapPolicy(2, 4, 0.9))
    >>> many = expected_answers(n_items=100, n_codes=9, right=0.95, policy=OverlapPolicy(2, 4, 0.9))
    >>> few.n, many.n
    (211, 280)
    """
    rng = np.random.default_rng(seed)
    there: NDArray[np.bool_] = rng.random((_TRIED, n_codes)) < _PRESENT
    log_odds: NDArray[np.float64] = np.full((_TRIED, n_codes), np.log(_PRESENT / (1 - _PRESENT)))
    step = np.log(right / (1 - right))
    first = np.full(_TRIED, policy.start_with)
    if policy.start_with == 1:
        first += rng.random(_TRIED) < PAIRED_SHARE
    asked = np.zeros(_TRIED, dtype=np.int64)
    for at in range(policy.at_most):
        going = (asked == at) & ((at < first) | ~_is_sure(log_odds, policy.sure_at))
        says = there ^ (rng.random(there.shape) >= right)
        log_odds = np.where(going[:, None], log_odds + np.where(says, step, -step), log_odds)
        asked += going
    n = asked.mean() * n_items
    if policy.budget is not None:
        n = min(n, policy.budget)
    return ExpectedAnswers(
        right=right,
        n=round(float(n)),
        asked_again=float((asked > first).mean()),
        open_in_the_end=float((~_is_sure(log_odds, policy.sure_at)).mean()),
    )


def _is_sure(log_odds: NDArray[np.float64], sure_at: float) -> NDArray[np.bool_]:
    sure: NDArray[np.bool_] = (1 / (1 + np.exp(-np.abs(log_odds))) >= sure_at).all(axis=1)
    return sure
