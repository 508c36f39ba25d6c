"""Times the methods of consensus beside crowd-kit on invented votes, and compares every label they give."""

import argparse
import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from annotation.consensus.dawid_skene import dawid_skene
from annotation.consensus.mace import mace
from annotation.consensus.majority import majority
from annotation.consensus.values import Consensus, Votes

T = TypeVar("T")


def invented_votes(
    n_items: int, n_annotators: int, n_labels: int, votes_each: int, seed: int, *, is_even: bool = False
) -> tuple[Votes, NDArray[np.int64]]:
    """Annotators who are right in 45 to 95 of 100 cases and else say any other label; and the truth, of which the
    first label has the greatest share unless all are even."""
    rng = np.random.default_rng(seed)
    weights = np.ones(n_labels) if is_even else np.arange(n_labels, 0, -1)
    truth = rng.choice(n_labels, size=n_items, p=weights / weights.sum())
    skill = rng.uniform(0.45, 0.95, n_annotators)
    by = np.sort(rng.random((n_items, n_annotators)).argsort(axis=1)[:, :votes_each], axis=1).ravel()
    on = np.repeat(np.arange(n_items), votes_each)
    elsewhere = (truth[on] + rng.integers(1, n_labels, len(on))) % n_labels
    said = np.where(rng.random(len(on)) < skill[by], truth[on], elsewhere)
    names = (
        tuple(f"item-{at:07}" for at in range(n_items)),
        tuple(f"annotator-{at:03}" for at in range(n_annotators)),
        tuple(f"label-{at:02}" for at in range(n_labels)),
    )
    return Votes(*names, on=on, by=by, said=said), truth


def as_table(votes: Votes) -> pd.DataFrame:
    """crowd-kit's MACE mixes names up unless they first appear in their order: hence by annotator and label."""
    table = pd.DataFrame(
        {
            "task": np.array(votes.items)[votes.on],
            "worker": np.array(votes.annotators)[votes.by],
            "label": np.array(votes.labels)[votes.said],
        }
    )
    return table.sort_values(["worker", "label", "task"], ignore_index=True)


def time_call(work: Callable[[], T]) -> tuple[T, float]:
    started = time.perf_counter()
    result = work()
    return result, time.perf_counter() - started


def compare(
    name: str,
    votes: Votes,
    truth: NDArray[np.int64],
    ours: Callable[[], Consensus],
    theirs: Callable[[], "pd.Series[str]"],
) -> None:
    result, seconds = time_call(ours)
    reference, reference_seconds = time_call(theirs)
    place = {label: at for at, label in enumerate(votes.labels)}
    their_label = reference.loc[list(votes.items)].map(place).to_numpy()
    equal = (result.label == their_label).mean()
    right, their_right = (result.label == truth).mean(), (their_label == truth).mean()
    print(
        f"{name:<13}{seconds:8.2f} s{reference_seconds:10.2f} s{reference_seconds / seconds:8.1f} ×"
        f"{equal:12.4%}{right:9.2%}{their_right:9.2%}   {result.note}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--annotators", type=int, default=30)
    parser.add_argument("--labels", type=int, default=3)
    parser.add_argument("--votes", type=int, default=3, help="annotators of each item")
    parser.add_argument("--even", action="store_true", help="make all labels equally frequent")
    parser.add_argument("--restarts", type=int, default=2, help="of MACE, on both sides")
    parser.add_argument("--iterations", type=int, default=50, help="of MACE, on both sides")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    # It loads much, and tests take only the votes from here
    from crowdkit.aggregation import MACE, DawidSkene, MajorityVote

    shape = asked.items, asked.annotators, asked.labels, asked.votes
    votes, truth = invented_votes(*shape, asked.seed, is_even=asked.even)
    table = as_table(votes)
    print(
        f"{asked.items} items × {asked.votes} of {asked.annotators} annotators, {asked.labels} labels;"
        f" MACE with {asked.restarts} restarts × {asked.iterations} steps"
    )
    print(f"{'':<13}{'ours':>10}{'crowd-kit':>12}{'ratio':>10}{'equal':>12}{'right':>9}{'theirs':>9}")
    compare("majority", votes, truth, lambda: majority(votes), lambda: MajorityVote().fit_predict(table))
    compare("dawid-skene", votes, truth, lambda: dawid_skene(votes), lambda: DawidSkene().fit_predict(table))
    compare(
        "mace",
        votes,
        truth,
        lambda: mace(votes, restarts=asked.restarts, iterations=asked.iterations, seed=asked.seed),
        lambda: MACE(n_restarts=asked.restarts, n_iter=asked.iterations).fit_predict(table),
    )


if __name__ == "__main__":
    main()
