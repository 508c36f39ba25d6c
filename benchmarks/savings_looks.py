"""How often does the savings meter claim something by chance, if it is read every night as labels come in?

Studies are invented in which a strategy's items are no better and no worse than random ones: two classes in ten
dimensions, as many chosen as random labels, and a few more of both before each reading. Trials are dealt as the meter
deals them, and a linear model is scored by its share of right answers. Readings of 95%, each by itself, stand beside
those of `learning.learning_curves.savings`, which share one level.

python -m benchmarks.savings_looks
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

from learning.learning_curves.intervals import CONFIDENCE, mean_interval
from learning.learning_curves.savings import SHARED, SavingsVerdict, savings
from learning.learning_curves.trials import Sizes, trial

Numbers = NDArray[np.float64]
DIMENSIONS, APART = 10, 0.4
FIRST, STEP, READINGS = 120, 4, 30
TRIALS = 20
ASKED_AT = (1, 10, READINGS)


def score(items: Numbers, truth: Numbers, learned: NDArray[np.int64], tested: NDArray[np.int64]) -> float:
    weights, *_ = np.linalg.lstsq(items[learned], truth[learned], rcond=None)
    return float(np.mean((items[tested] @ weights > 0) == (truth[tested] > 0)))


def first_claims(rng: np.random.Generator) -> tuple[int, int]:
    """At which reading one of 95% by itself first claims something, and one that shares a level; READINGS if never."""
    most = FIRST + STEP * READINGS
    truth = rng.choice([-1.0, 1.0], most)
    items = np.column_stack([np.ones(most), rng.normal(size=(most, DIMENSIONS)) + APART * truth[:, None]])
    is_random = np.arange(most) % 2 == 0
    found = [READINGS, READINGS]
    for reading in range(READINGS):
        n = FIRST + STEP * reading
        rows = []
        dealt = np.random.default_rng(1)
        for _ in range(TRIALS):
            one = trial(is_random[:n], [str(at) for at in range(n)], dealt)
            size = len(one.random)
            rows.append(
                [score(items[:n], truth[:n], arm[:size], one.test) for arm in (one.random, one.mixed)]
            )
        scores = np.array(rows)
        alone = mean_interval(scores[:, 1] - scores[:, 0], shared=SHARED)
        shared = savings(Sizes((n // 3,), (n // 3,)), scores[:, :1], scores[:, 1:], look=reading + 1)
        claims = (
            alone.is_above_zero or alone.is_below_zero,
            shared.verdict is not SavingsVerdict.NOTHING_SHOWN,
        )
        found = [min(at, reading) if claims_it else at for at, claims_it in zip(found, claims, strict=True)]
        if max(found) < READINGS:
            break
    return found[0], found[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--studies", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rng = np.random.default_rng(given.seed)
    firsts = np.array([first_claims(rng) for _ in range(given.studies)])
    print(f"studies whose meter claims a gain or a loss where there is none, of {given.studies:,}")
    print(f"{'':<28}" + "".join(f"{f'{n} readings':>14}" for n in ASKED_AT))
    for at, words in enumerate((f"{CONFIDENCE:.0%} at each reading", "one level over all readings")):
        print(f"{words:<28}" + "".join(f"{np.mean(firsts[:, at] < n):>14.1%}" for n in ASKED_AT))


if __name__ == "__main__":
    main()
