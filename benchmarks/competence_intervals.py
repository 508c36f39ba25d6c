"""Do the intervals of annotators' competence hold what they promise?

A pool of annotators of different quality judges invented items with a yes-or-no theme, each item by some of them. For
each of the three models of `annotation.consensus.competence`, the target is what the model says of the same annotators
on 20,000 further items; for Dawid and Skene also how often they are right in truth. Coverage is the share of 95%
intervals, over annotators and repetitions, that hold the target.

python -m benchmarks.competence_intervals
"""

import argparse
from dataclasses import dataclass

import numpy as np

from annotation.consensus.competence import competences, estimate_competence
from annotation.consensus.competence_values import Model
from annotation.consensus.values import Votes
from annotation.consensus.votes import votes_from

N_LARGE = 20_000


@dataclass(frozen=True, slots=True)
class World:
    name: str
    n_items: int
    n_annotators: int
    per_item: int
    share: float
    low: float
    high: float


WORLDS = (
    World("3 annotators, 60 items, all on all", 60, 3, 3, 0.4, 0.75, 0.95),
    World("3 annotators, 200 items, all on all", 200, 3, 3, 0.4, 0.75, 0.95),
    World("5 annotators, 200 items, 3 on each", 200, 5, 3, 0.4, 0.75, 0.95),
    World("5 annotators, 200 items, all on all", 200, 5, 5, 0.3, 0.75, 0.95),
    World("5 annotators, 200 items, rare theme", 200, 5, 5, 0.05, 0.75, 0.95),
    World("8 annotators, 300 items, 2 on each", 300, 8, 2, 0.4, 0.75, 0.95),
    World("excellent annotators, 200 items", 200, 5, 3, 0.4, 0.96, 0.999),
)


def invent(world: World, right: list[float], n_items: int, rng: np.random.Generator) -> Votes:
    truth = rng.random(n_items) < world.share
    rows = []
    for item in range(n_items):
        for who in rng.choice(world.n_annotators, size=world.per_item, replace=False).tolist():
            says = bool(truth[item]) ^ bool(rng.random() >= right[who])
            rows.append((f"{item:05}", f"{who:02}", "yes" if says else "no"))
    return votes_from(rows)


def line(world: World, times: int, seed: int, resamples: int) -> str:
    right = np.linspace(world.low, world.high, world.n_annotators).tolist()
    large = estimate_competence(invent(world, right, N_LARGE, np.random.default_rng((seed, 0))), seed)
    held: dict[str, list[bool]] = {}
    widths = []
    for at in range(times):
        votes = invent(world, right, world.n_items, np.random.default_rng((seed, at + 1)))
        for who, row in enumerate(competences(votes, resamples=resamples, seed=at)):
            for model, interval in row.values.items():
                target = float(large[model][who])
                held.setdefault(model, []).append(interval.low <= target <= interval.high)
                if model is Model.DAWID_SKENE:
                    held.setdefault("truth", []).append(interval.low <= right[who] <= interval.high)
                    widths.append(interval.high - interval.low)
    shares = [np.mean(held[name]) for name in ("truth", *Model)]
    cells = " | ".join(f"{share:.3f}" for share in shares)
    return f"| {world.name} | {cells} | {np.mean(widths):.2f} |"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--times", type=int, default=40)
    parser.add_argument("--resamples", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print("| annotators and items | Dawid–Skene: truth | Dawid–Skene | MACE | Rasch | width (Dawid–Skene) |")
    print("|---|--:|--:|--:|--:|--:|")
    for world in WORLDS:
        print(line(world, options.times, options.seed, options.resamples), flush=True)


if __name__ == "__main__":
    main()
