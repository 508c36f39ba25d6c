"""How much gold does a corrected interval need? Coverage of nominal 95% intervals by effective gold (Kish).

Corpora are invented with a rare or common code and a better or poorer model. Gold is drawn at random, or as batches of
active learning draw it: a random share, and beside it the items that the model is least sure of. The corrected share
has its interval as `analysis.prevalence` makes it, whatever the gold; how often it holds the true share is counted by
what the gold is worth,

    n_eff = (Σ w)² / Σ w²        over the items with gold, w how many items each stands for

python -m benchmarks.effective_gold
"""

import argparse
from collections import defaultdict
from itertools import pairwise, product

import numpy as np

from analysis.clusters import Clusters
from analysis.labels import LEAST_GOLD, Labels
from analysis.tuned_estimates import Part, mean_of
from learning.query_strategies.inclusion import inclusion_probabilities

N_ITEMS = 3_000
# How often the code is there; how often the model finds what is there, and what is not.
SHARES = (0.02, 0.05, 0.1, 0.3)
MODELS = {"good": (0.9, 0.02), "poor": (0.6, 0.1)}
N_GOLD = (30, 60, 100, 200, 400, 800)
RANDOM_SHARES = (0.1, 0.2, 0.5, 1.0)
BINS = (0, 10, 30, LEAST_GOLD, 100, 200, N_ITEMS)


def one_try(
    rng: np.random.Generator, *, share: float, model: str, n_gold: int, random_share: float
) -> tuple[float, bool]:
    """The effective gold of a corpus, and whether its interval holds the share."""
    found, mistaken = MODELS[model]
    truth = (rng.random(N_ITEMS) < share).astype(np.float64)
    said = (rng.random(N_ITEMS) < np.where(truth == 1, found, mistaken)).astype(np.float64)
    n_random = max(1, round(random_share * n_gold))
    # Where the model errs it is less sure, though not always
    order = np.argsort(-rng.normal(said != truth, 1.0))
    drawn = rng.permutation(N_ITEMS)[:n_random]
    best = order[~np.isin(order, drawn)][: n_gold - n_random]
    chances = np.full(N_ITEMS, n_gold / N_ITEMS)
    if random_share < 1:
        chances[order] = inclusion_probabilities(N_ITEMS, n_random, n_gold - n_random)
    at = np.sort(np.concatenate([drawn, best]))
    labels = Labels(said, at, truth[at], 1 / chances[at])
    tuned = mean_of(Part(labels, np.ones(N_ITEMS), Clusters(np.arange(N_ITEMS), N_ITEMS))).tuned
    is_held = tuned.low is not None and tuned.high is not None and tuned.low <= share <= tuned.high
    return labels.effective_gold(), is_held


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rng = np.random.default_rng(given.seed)
    held: dict[tuple[float, str, int], list[bool]] = defaultdict(list)
    for _ in range(given.times):
        for share, model, n_gold, random_share in product(SHARES, MODELS, N_GOLD, RANDOM_SHARES):
            effective, is_held = one_try(
                rng, share=share, model=model, n_gold=n_gold, random_share=random_share
            )
            start = max(bound for bound in BINS if bound <= effective)
            held[share, model, start].append(is_held)
    print("share of intervals that hold the true share, by effective gold; promised 95%")
    heads = [f"{start}–{end - 1}" if end < N_ITEMS else f"{start}+" for start, end in pairwise(BINS)]
    print(f"{'code in':>8}  {'model':<5}" + "".join(f"{head:>10}" for head in heads))
    for share, model in product(SHARES, MODELS):
        row = "".join(f"{np.mean(held[share, model, start]):>10.1%}" for start in BINS[:-1])
        print(f"{share:>8.0%}  {model:<5}{row}")


if __name__ == "__main__":
    main()
