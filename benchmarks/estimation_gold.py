"""How much gold does drawing by expected error save, at equal width, against drawing at random?

Corpora are invented with a rare or common code and a model that gives probabilities, calibrated or overconfident. So
much gold is drawn evenly, and as much with a probability that goes with the model's expected error
(`learning.query_strategies.estimation`), mixed with chance by the random share; both correct the share as reports do.
`saved` is the part of random gold that the other needs less for an interval as wide, 1 - (w / w_random)².

python -m benchmarks.estimation_gold
python -m benchmarks.estimation_gold --table TABLE.csv

does the same with the items of a table: `gold` and `prediction`, a probability, in every row; its share is the truth.
"""

import argparse
import csv
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np

from analysis.clusters import Clusters
from analysis.labels import Labels
from analysis.tuned_estimates import Part, mean_of
from analysis.values import Values
from learning.query_strategies.estimation import (
    expected_variance,
    proportional_probabilities,
    systematic_sample,
)

N_ITEMS, RANDOM_SHARES = 20_000, (0.1, 0.2, 0.5)
SHARES, N_GOLD = (0.02, 0.05, 0.1, 0.3, 0.5), (300, 1_000)
# By how many standard deviations the model's scores are apart, and by what it multiplies its log odds
MODELS = {"good": (3.0, 1.0), "poor": (1.0, 1.0), "overconfident": (2.0, 3.0), "knows nothing": (0.0, 1.0)}

Invent = Callable[[np.random.Generator], tuple[Values, Values]]


def invent(rng: np.random.Generator, share: float, model: str) -> tuple[Values, Values]:
    """What is so, and the probabilities of a model."""
    apart, confidence = MODELS[model]
    truth = (rng.random(N_ITEMS) < share).astype(np.float64)
    score = apart * (truth - 0.5) + rng.standard_normal(N_ITEMS)
    log_odds = apart * score + np.log(share / (1 - share))
    return truth, 1 / (1 + np.exp(-np.clip(confidence * log_odds, -30, 30)))


def one_width(
    rng: np.random.Generator, truth: Values, chance: Values, n_gold: int, random_share: float
) -> tuple[float, bool]:
    """Of the corrected interval, and whether it holds what is so. With a random share of 1, all is chance."""
    scores = np.sqrt(expected_variance(np.stack([1 - chance, chance], axis=-1)))
    probabilities = proportional_probabilities(scores, n_gold, random_share)
    at = np.array(systematic_sample(probabilities, rng))
    labels = Labels(chance, at, truth[at], 1 / probabilities[at])
    found = mean_of(Part(labels, np.ones(len(truth)), Clusters(np.arange(len(truth)), len(truth)))).tuned
    low, high = found.low or 0.0, found.high or 0.0
    return high - low, low <= float(truth.mean()) <= high


def line(name: str, made: Invent, n_gold: int, times: int, seed: int) -> str:
    widths: dict[float, list[float]] = {share: [] for share in (1.0, *RANDOM_SHARES)}
    held: dict[float, list[bool]] = {share: [] for share in widths}
    for at in range(times):
        rng = np.random.default_rng((seed, at))
        truth, chance = made(rng)
        for share, found in widths.items():
            width, is_held = one_width(rng, truth, chance, n_gold, share)
            found.append(width)
            held[share].append(is_held)
    by_chance = float(np.mean(widths[1.0]))
    said = f"{name:<28}{n_gold:>6,}{100 * by_chance:>8.2f}{np.mean(held[1.0]):>7.1%}"
    for share in RANDOM_SHARES:
        saved = 1 - (float(np.mean(widths[share])) / by_chance) ** 2
        said += f"{saved:>9.0%}{np.mean(held[share]):>7.1%}"
    return said


def of_table(path: Path) -> Invent:
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    truth, chance = (np.array([float(row[name]) for row in rows]) for name in ("gold", "prediction"))
    return lambda rng: (truth, chance)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table", type=Path, action="append", default=[])
    given = parser.parse_args()
    heads = "".join(f"{f'saved {share:.0%}':>9}{'holds':>7}" for share in RANDOM_SHARES)
    print(f"{'share, model':<28}{'gold':>6}{'width':>8}{'holds':>7}{heads}")
    for path in given.table:
        made = of_table(path)
        for n_gold in N_GOLD:
            print(line(path.stem, made, n_gold, given.times, given.seed), flush=True)
    if not given.table:
        for share, model, n_gold in product(SHARES, MODELS, N_GOLD):
            made = partial(invent, share=share, model=model)
            print(line(f"{share:.0%}, {model}", made, n_gold, given.times, given.seed), flush=True)


if __name__ == "__main__":
    main()
