"""How many answers does adaptive overlap save, at labels as good as those of 2 or 3 annotators for every item?

Items are invented with themes that are there or not, and a pool of ten annotators of whom each misses and invents
themes at rates of their own; on hard items everybody is near guessing. Labels are the likelier answer under
`annotation.consensus.pooled_dawid_skene`, for all designs alike. Adaptive overlap starts with 1 or 2 annotators and has
up to 5, run until nobody is to be asked any more, as `annotation.adaptive_overlap` decides. For each fixed design the
cheapest of its settings is shown of which the labels are as good: no more wrong labels (mean over repetitions).

python -m benchmarks.adaptive_overlap
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.adaptive_overlap import (
    AskedItem,
    OverlapPolicy,
    Standing,
    certainties,
    seats_to_add,
    standings,
)
from annotation.assignment import deal_seats
from annotation.consensus.pooled_dawid_skene import answer_posterior
from annotation.consensus.votes import votes_from

N_ITEMS, N_ANNOTATORS, AT_MOST = 400, 10, 5
SURE_AT = (0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.975, 0.99, 0.995)
SPREAD = 0.04
POSSIBLE = (0, 1)


@dataclass(frozen=True, slots=True)
class World:
    """`right` is how often annotators are right on the mean, `on_hard` on hard items, of which there are so many."""

    name: str
    n_codes: int
    share: float
    right: float
    hard: float = 0.0
    on_hard: float = 0.6


WORLDS = (
    World("one common theme, good annotators", 1, 0.4, 0.92),
    World("one common theme, fair annotators", 1, 0.4, 0.8),
    World("one rare theme, good annotators", 1, 0.05, 0.95),
    World("one theme, 2 of 10 items hard", 1, 0.3, 0.95, 0.2),
    World("three themes, good annotators", 3, 0.3, 0.92),
    World("nine themes, good annotators", 9, 0.2, 0.92),
    World("nine themes, excellent annotators", 9, 0.2, 0.98),
    World("every item hard", 1, 0.4, 0.65),
)


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """`truth[i, c]`; `says[a, i, c]` is what annotator a says if asked."""

    truth: NDArray[np.int64]
    says: NDArray[np.int64]


def invent(world: World, rng: np.random.Generator) -> Answers:
    truth = (rng.random((N_ITEMS, world.n_codes)) < world.share).astype(np.int64)
    own = np.clip(world.right + SPREAD * rng.standard_normal((N_ANNOTATORS, 1, world.n_codes)), 0.55, 0.995)
    is_hard = rng.random((1, N_ITEMS, world.n_codes)) < world.hard
    right = np.where(is_hard, world.on_hard, own)
    is_wrong = rng.random((N_ANNOTATORS, N_ITEMS, world.n_codes)) >= right
    return Answers(truth, truth[None] ^ is_wrong)


def labelled(answers: Answers, seats: dict[str, set[str]]) -> float:
    """The share of wrong labels."""
    wrong = 0
    for code in range(answers.truth.shape[1]):
        rows = (
            (item, who, str(_said(answers, who, item, code))) for item, all_ in seats.items() for who in all_
        )
        votes = votes_from(rows)
        likelier = answer_posterior(votes).argmax(axis=1)
        labels = np.array([int(votes.labels[at]) for at in likelier])
        wrong += int((labels != answers.truth[[int(item) for item in votes.items], code]).sum())
    return wrong / answers.truth.size


def _said(answers: Answers, who: str, item: str, code: int) -> int:
    return int(answers.says[int(who), int(item), code])


def dealt(seats: dict[str, int], seed: int) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {item: set() for item in seats}
    for who, items in deal_seats(seats, [str(at) for at in range(N_ANNOTATORS)], seed).items():
        for item in items:
            found[item].add(who)
    return found


def adapted(answers: Answers, policy: OverlapPolicy, seed: int) -> dict[str, set[str]]:
    """Who was asked about each item in the end."""
    everybody = frozenset(str(at) for at in range(N_ANNOTATORS))
    n_codes = answers.truth.shape[1]
    names = [str(at) for at in range(N_ITEMS)]
    seats = dealt(policy.seats(names, seed), seed)
    while True:
        asked = [
            AskedItem(
                item,
                len(who),
                0,
                {
                    each: {str(code): _said(answers, each, item, code) for code in range(n_codes)}
                    for each in who
                },
                everybody - who,
            )
            for item, who in seats.items()
        ]
        certainty = certainties(asked, {str(code): POSSIBLE for code in range(n_codes)})
        standing = standings(asked, certainty, policy)
        if Standing.UNSURE not in standing.values():
            return seats
        for who, items in seats_to_add(asked, standing, dict.fromkeys(everybody, 0), seed).items():
            for item in items:
                seats[item].add(who)


def measured(answers: Answers, seats: dict[str, set[str]]) -> tuple[float, float]:
    """Answers for an item, and the share of wrong labels."""
    return sum(map(len, seats.values())) / len(seats), labelled(answers, seats)


def run(world: World, times: int, seed: int) -> None:
    designs: dict[str, list[tuple[float, float]]] = {}
    for at in range(times):
        answers = invent(world, np.random.default_rng((seed, at)))
        for n in (2, 3):
            seats = dealt({str(item): n for item in range(N_ITEMS)}, seed + at)
            designs.setdefault(f"{n}", []).append(measured(answers, seats))
        for start in (1, 2):
            for sure_at in SURE_AT:
                seats = adapted(answers, OverlapPolicy(start, AT_MOST, sure_at), seed + at)
                designs.setdefault(f"{start} to {AT_MOST}, {sure_at}", []).append(measured(answers, seats))
    means = {name: tuple(np.mean(found, axis=0).tolist()) for name, found in designs.items()}
    for fixed in ("2", "3"):
        print(_line(world, fixed, means), flush=True)


def _line(world: World, n: str, means: Mapping[str, Sequence[float]]) -> str:
    cost, wrong = means[n]
    as_good = {name: found for name, found in means.items() if " to " in name and found[1] <= wrong}
    if not as_good:
        return f"| {world.name} | {n} | {100 * wrong:.1f} | none as good | | | |"
    best = min(as_good, key=lambda name: as_good[name][0])
    found = as_good[best]
    start, sure_at = best.split(f" to {AT_MOST}, ")
    return (
        f"| {world.name} | {n} | {100 * wrong:.1f} | {start} | {sure_at} | {found[0]:.2f} | "
        f"{100 * (1 - found[0] / cost):.0f}% |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(
        "| items | annotators of each | wrong of 100 labels | adaptive from | sure at | answers an item | saved |"
    )
    print("|---|--:|--:|--:|--:|--:|--:|")
    for world in WORLDS:
        run(world, options.times, options.seed)


if __name__ == "__main__":
    main()
